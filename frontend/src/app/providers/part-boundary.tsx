import { Component, type ReactNode } from "react";

type PartBoundaryProps = { onFailed(error: unknown): void; children: ReactNode };

/** Keeps a failure of what it holds from taking all else with it; gives it up for good. */
export class PartBoundary extends Component<PartBoundaryProps, { hasFailed: boolean }> {
  override state = { hasFailed: false };

  static getDerivedStateFromError(): { hasFailed: boolean } {
    return { hasFailed: true };
  }

  override componentDidCatch(error: unknown): void {
    this.props.onFailed(error);
  }

  override render(): ReactNode {
    return this.state.hasFailed ? null : this.props.children;
  }
}
