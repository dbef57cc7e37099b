/**
 * How one agent differs from the protocol. Resolved once, from `clientInfo.name`; no other code
 * looks at the name.
 */
export interface Profile {
  /**
   * A *Write* that was accepted in the editor loses one final newline on its way to the disk
   * (Claude Code 2.1.325). A new file can only come from *Write*, so one more is sent there.
   */
  readonly dropsFinalNewlineOfNewFile: boolean;
}

const FAITHFUL: Profile = { dropsFinalNewlineOfNewFile: false };

const PROFILES: Readonly<Record<string, Profile>> = {
  "claude-code": { dropsFinalNewlineOfNewFile: true },
};

export function profileOf(clientName: string | undefined): Profile {
  return (
    (clientName !== undefined && Object.hasOwn(PROFILES, clientName)
      ? PROFILES[clientName]
      : undefined) ?? FAITHFUL
  );
}
