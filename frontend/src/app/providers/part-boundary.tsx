import { Component, type ReactNode } from "react";

type PartBoundaryProps = { onFailed(error: unknown): void; fallback?: ReactNode; children: ReactNode };

/** Contains a failure of its children: they are removed for good, or replaced by the fallback. */
export class PartBoundary extends Component<PartBoundaryProps, { hasFailed: boolean }> {
  override state = { hasFailed: false };

  static getDerivedStateFromError(): { hasFailed: boolean } {
    return { hasFailed: true };
  }

  override componentDidCatch(error: unknown): void {
    this.props.onFailed(error);
  }

  override render(): ReactNode {
    return this.state.hasFailed ? (this.props.fallback ?? null) : this.props.children;
  }
}
