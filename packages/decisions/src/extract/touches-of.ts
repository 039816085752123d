import { type Message, toolCallsOf } from '@palimpsest/core'
import { fileTouches, resultStatus } from '@palimpsest/summaries'
import type { ArtifactTouch } from '../candidates/artifact-touch.ts'

/** Entries of one message; one that names more files than that lists them, and works on none. */
const MAX_TOUCHES = 200

/** The files that an assistant's calls touched, by the calls and their results. */
export function touchesOf(input: {
  readonly index: number
  readonly turn: number
  /** The assistant's message with the calls. */
  readonly message: Message
  /** The tools' results that follow it. */
  readonly results: readonly Message[]
}): ArtifactTouch[] {
  const { index, turn, message } = input
  const answers = new Map<string, Message>()
  for (const result of input.results)
    if (result?.role === 'tool' && !answers.has(result.tool_call_id)) answers.set(result.tool_call_id, result)
  return toolCallsOf(message)
    .flatMap((made, call) => {
      const result = answers.get(made.id)
      const failed = result !== undefined && resultStatus(result, made) === 'failed'
      return fileTouches(made).map(
        ({ path, operation }): ArtifactTouch => ({ message: index, call, turn, path, operation, failed }),
      )
    })
    .slice(0, MAX_TOUCHES)
}
