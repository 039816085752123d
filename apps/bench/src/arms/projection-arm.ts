import type { Message, TokenCounter } from '@palimpsest/core'
import type { Arm, OpenInput, Projection } from './arm.ts'

/** Makes a prompt of a transcript. Called once a request, with transcripts that only grow. */
export type Show = (transcript: readonly Message[]) => Promise<Shown> | Shown

export type Shown = Omit<Projection, 'tools'>

/** An arm that gives the model no tools and learns nothing from its answers but what the next transcript says. */
export function toollessArm(
  { name, description, kind }: Pick<Arm, 'name' | 'description' | 'kind'>,
  open: (input: OpenInput) => Show,
): Arm {
  return {
    name,
    description,
    kind,
    searches: [],
    open(input) {
      const show = open(input)
      return {
        project: async (transcript) => ({ ...(await show(transcript)), tools: [] }),
        async answered() {},
        async callTool(tool) {
          return JSON.stringify({ error: `no tool ${tool}` })
        },
        async end() {},
      }
    },
  }
}

export interface ProjectInput {
  readonly budget: number
  readonly tokens: TokenCounter
}

/** Makes a prompt from nothing but the transcript. */
export type Project = (transcript: readonly Message[], input: ProjectInput) => readonly Message[]

export function projectionArm(about: Pick<Arm, 'name' | 'description' | 'kind'>, project: Project): Arm {
  return toollessArm(about, (input) => (transcript) => {
    const messages = project(transcript, input)
    // Whole again means that nothing was left out: no compaction.
    return { messages, compacted: messages.length < transcript.length, warnings: [] }
  })
}
