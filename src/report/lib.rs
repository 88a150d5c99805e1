//! Search results in writing: the reason for every node as a sentence, and results and trees as JSON and text.

pub mod algorithms;
pub mod answer;
pub mod axis;
pub mod compare;
pub mod difference;
pub mod drawing;
pub mod engine;
pub mod event;
pub mod explained;
pub mod explanation;
pub mod gauge;
pub mod grade;
mod html;
pub mod json;
pub mod lab;
pub mod lens;
pub mod lesson;
pub mod number;
pub mod proof;
pub mod review;
pub mod rules;
pub mod schema;
pub mod sheet;
pub mod suite;
pub mod text;
pub mod tree;
pub mod why;
