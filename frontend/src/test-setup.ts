import "@testing-library/jest-dom/vitest";
import { configure } from "@testing-library/react";

// It ends what hangs; how fast a machine is decides nothing.
configure({ asyncUtilTimeout: 30_000 });
