//! The same operation through a loop by hand, the attribute and every peer.

pub mod cases;
pub mod procfs;
pub mod subjects;
pub mod work;
