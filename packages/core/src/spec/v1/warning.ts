/** Something that was degraded but not lost. Warnings are returned and emitted, never thrown. */
export interface Warning {
  /** Stable, kebab-case, for programs. */
  readonly code: string
  /** One sentence for a person: what happened and what to do about it. */
  readonly message: string
}
