import type { Message } from '@palimpsest/core'
import type { Arm, OpenInput, Projection } from './arm.ts'

/** What is shown when the transcript ends like this. Called once a request, with transcripts that only grow. */
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
