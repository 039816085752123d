import type { ToolSchema } from '@palimpsest/core'

export interface ToolAnswer {
  /** False when it did not do what it was asked. */
  readonly ok: boolean
  readonly text: string
}

/** Something that the model may do in the workspace. */
export interface ChatTool {
  readonly schema: ToolSchema
  /** One line for a person: a path, a command. Takes any arguments. */
  summary(args: unknown): string
  /** Never rejects, not for an abort either: an error is an answer. */
  run(args: unknown, signal: AbortSignal): Promise<ToolAnswer>
}
