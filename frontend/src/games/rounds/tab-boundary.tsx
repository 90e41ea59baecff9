import { Component, type ReactNode } from "react";
import { ErrorState } from "@/components/states";
import { renewParts } from "@/lib/lazy-part";

/** Keeps the game when the code of a tab cannot be loaded. */
export class TabBoundary extends Component<{ children: ReactNode }, { hasFailed: boolean }> {
  override state = { hasFailed: false };

  static getDerivedStateFromError(): { hasFailed: boolean } {
    return { hasFailed: true };
  }

  override render(): ReactNode {
    if (!this.state.hasFailed) return this.props.children;
    const retry = () => {
      renewParts();
      this.setState({ hasFailed: false });
    };
    return <ErrorState title="This list could not be loaded" onRetry={retry} />;
  }
}
