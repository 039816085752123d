import { defineContextEngine, type EngineDefinition } from '@palimpsest/core'
import { createTopicWindow } from './create-topic-window.ts'
import { resolveOptions, type TopicWindowOptions } from './options.ts'

/** A sliding window that keeps old turns when they belong to the current topic. Needs no model. */
export const topicWindow: EngineDefinition<TopicWindowOptions> = defineContextEngine({
  name: 'topic-window',
  apiVersion: 1,
  description: 'Keeps the newest turns and old ones on the same topic, and an index of the rest (no model)',
  create: (options: TopicWindowOptions, host) => createTopicWindow(resolveOptions(options), host),
})

export default topicWindow
export type { TopicWindowOptions } from './options.ts'
