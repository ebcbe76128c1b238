"""What the runners of JavaScript and TypeScript share."""
