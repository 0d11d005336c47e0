//! Bytes of a class by name, from folders, jars (multi-release too) and the JDK image.
//!
//! A short tour: [`Jdk`] is a JDK on disk and knows how to find one; [`ClassPath`] answers "which bytes are
//! class `a/b/C`, and where do they come from" with a [`Resource`]. The JDK's classes are slices of the mapped
//! `lib/modules` file, so finding one copies nothing. This crate never looks inside the bytes it hands out.

mod bytes;
mod error;
mod folder;
mod image;
mod jar;
mod jdk;
mod manifest;
mod path;

pub use bytes::Bytes;
pub use error::ClassPathError;
pub use jar::main_class_of_jar;
pub use jdk::{Jdk, OLDEST_FEATURE};
pub use path::{ClassPath, Origin, Resource};
