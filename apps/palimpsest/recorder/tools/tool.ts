/** What a tool answered: the text that becomes the tool message, and whether the tool itself reports a failure. */
export interface ToolOutcome {
  readonly output: string
  readonly failed: boolean
  /** Exit code of a command; `undefined` for every other tool. */
  readonly exitCode?: number
}

/** A tool of the recorded agent. `root` is the absolute path of the temporary workspace. */
export type Tool = (root: string, args: Readonly<Record<string, unknown>>) => ToolOutcome

export function done(output: string): ToolOutcome {
  return { output, failed: false }
}

export function failed(reason: string): ToolOutcome {
  return { output: `error: ${reason}`, failed: true }
}
