//! Real processes under the executor, one test a failure that was seen somewhere, named by its id.
//!
//! Groups: a completion, b killing, c time and tasks, d output, e input, f wrapping, g start-up files,
//! h environment, i host's life. Every test has its own time limit and state folder, and leaves no process, no
//! descriptor and no file behind.

mod a_completion;
mod b_killing;
mod b_unkillable;
mod c_limits;
mod c_tasks;
mod common;
mod coverage;
mod d_disk;
mod d_output;
mod e_input;
mod effects;
mod f_table;
mod f_wrapping;
mod flood;
mod g_startup;
mod h_environment;
mod i_host;
mod i_spawn;
mod inputs;
mod many;
mod second_host;
mod suite;
mod users;
