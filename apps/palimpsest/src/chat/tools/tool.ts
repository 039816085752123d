import type { ToolSchema } from '@palimpsest/core'

/** What a model is told by a tool. */
export interface ToolAnswer {
  /** False when it did not do what it was asked. */
  readonly ok: boolean
  readonly text: string
}

/** Something that the model may do in the workspace. */
export interface ChatTool {
  readonly schema: ToolSchema
  /** What a call is about, on one line for a person: a path, a command. Whatever the arguments are. */
  summary(args: unknown): string
  /** Never rejects, not for an abort either: an error is an answer. */
  run(args: unknown, signal: AbortSignal): Promise<ToolAnswer>
}
