//! The `portcullis` command.

fn main() -> std::process::ExitCode {
    if let Some(code) = executor_native::supervise_if_asked() {
        return code;
    }
    executor_native::cli::main()
}
