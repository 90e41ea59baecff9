import type { Page } from "@playwright/test";

// A device that keeps passkeys, and that is unlocked whenever it is asked to be.

const DEVICE = {
  protocol: "ctap2",
  transport: "internal",
  hasResidentKey: true,
  hasUserVerification: true,
  isUserVerified: true,
  automaticPresenceSimulation: true,
} as const;

type Session = Awaited<ReturnType<ReturnType<Page["context"]>["newCDPSession"]>>;

export class PasskeyDevice {
  readonly #session: Session;
  readonly #authenticatorId: string;

  private constructor(session: Session, authenticatorId: string) {
    this.#session = session;
    this.#authenticatorId = authenticatorId;
  }

  /** Gives the page's browser such a device. */
  static async of(page: Page): Promise<PasskeyDevice> {
    const session = await page.context().newCDPSession(page);
    await session.send("WebAuthn.enable");
    const { authenticatorId } = await session.send("WebAuthn.addVirtualAuthenticator", { options: DEVICE });
    return new PasskeyDevice(session, authenticatorId);
  }

  /** Whether its owner unlocks it. */
  async setUnlocked(isUserVerified: boolean): Promise<void> {
    await this.#session.send("WebAuthn.setUserVerified", { authenticatorId: this.#authenticatorId, isUserVerified });
  }

  /** Whether somebody is there, or the browser waits. */
  async setPresent(enabled: boolean): Promise<void> {
    const authenticatorId = this.#authenticatorId;
    await this.#session.send("WebAuthn.setAutomaticPresenceSimulation", { authenticatorId, enabled });
  }

  /** How many passkeys it has. */
  async count(): Promise<number> {
    const authenticatorId = this.#authenticatorId;
    return (await this.#session.send("WebAuthn.getCredentials", { authenticatorId })).credentials.length;
  }
}
