import type { Message, TokenCounter } from '@palimpsest/core'
import type { Arm } from './arm.ts'
import { toollessArm } from './toolless-arm.ts'

export interface ProjectInput {
  readonly budget: number
  readonly tokens: TokenCounter
}

/** What is shown of a transcript, decided for each request from nothing but the transcript. */
export type Project = (transcript: readonly Message[], input: ProjectInput) => readonly Message[]

/** An arm without state and without tools. */
export function projectionArm(about: Pick<Arm, 'name' | 'description' | 'kind'>, project: Project): Arm {
  return toollessArm(about, (input) => (transcript) => {
    const messages = project(transcript, input)
    // Whole again means that nothing was left out: no compaction.
    return { messages, compacted: messages.length < transcript.length, warnings: [] }
  })
}
