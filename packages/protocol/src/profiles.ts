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
  /** A mention without lines, which means the whole file, is ignored (opencode 1.18.33). */
  readonly ignoresMentionWithoutLines: boolean;
}

const FAITHFUL: Profile = {
  dropsFinalNewlineOfNewFile: false,
  ignoresMentionWithoutLines: false,
};

const PROFILES: Readonly<Record<string, Profile>> = {
  "claude-code": { ...FAITHFUL, dropsFinalNewlineOfNewFile: true },
  opencode: { ...FAITHFUL, ignoresMentionWithoutLines: true },
};

export function profileOf(clientName: string | undefined): Profile {
  return (
    (clientName !== undefined && Object.hasOwn(PROFILES, clientName)
      ? PROFILES[clientName]
      : undefined) ?? FAITHFUL
  );
}
