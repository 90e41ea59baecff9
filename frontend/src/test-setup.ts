import { webcrypto } from "node:crypto";
import "@testing-library/jest-dom/vitest";
import { configure } from "@testing-library/react";

// A limit for hanging tests only; slow machines must not fail.
configure({ asyncUtilTimeout: 30_000 });

// That of jsdom has no `subtle`.
Object.defineProperty(globalThis, "crypto", { value: webcrypto, configurable: true });
