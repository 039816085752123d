import { defineContextEngine, type Message, messageText } from '@palimpsest/core'
import { assembleProjection } from './reference/assemble-projection.ts'
import { createReferenceParts, REFERENCE_STEPS } from './reference-engine.ts'

/** The note that the engine puts after the system prompt once it has compacted. */
export const NOTE = '[Earlier messages were compacted into a summary.]'

/** The reference engine with a note after the system prompt, for adapters whose hosts keep that prompt elsewhere. */
export const notingEngine = defineContextEngine({
  name: 'noting',
  apiVersion: 1,
  description: 'Appends a note to the system prompt',
  create: (options, host) =>
    createReferenceParts(options, host, {
      ...REFERENCE_STEPS,
      assembleProjection: ({ system, ...plan }, summary) =>
        assembleProjection({ ...plan, system: system && withNote(system) }, summary),
    }),
})

function withNote(system: Message): Message {
  const text = messageText(system)
  return text.endsWith(NOTE) ? system : ({ ...system, content: `${text}\n\n${NOTE}` } as Message)
}
