"""What the runners of Rust's tests share: ids, set-up, and what they inject."""
