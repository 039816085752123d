import { isSummary, type Message, messageText, readMessages } from '@palimpsest/core'
import { assembleProjection } from '../reference/assemble-projection.ts'
import { openMessageLog } from '../reference/message-log.ts'
import { type BrokenEngine, broken, type Mistake, projecting } from './broken-engine.ts'

/** A mistake with each message that is kept: the summary is left alone. */
const keeping = (change: (message: Message) => Message): Mistake =>
  projecting((messages) => messages.map((message) => (isSummary(message) ? message : change(message))))

/** Mistakes with messages that stay in the projection. */
export const brokenKept: readonly BrokenEngine[] = [
  broken(
    'trims the answers that it keeps',
    'C73',
    keeping((message) =>
      message.role === 'assistant' && typeof message.content === 'string'
        ? { ...message, content: message.content.trim() }
        : message,
    ),
  ),
  broken(
    'drops the names of those who spoke',
    'C73',
    keeping((message) => {
      const { name: _, ...rest } = message as Message & { name?: string }
      return rest as Message
    }),
  ),
  broken(
    'keeps of an answer what it knows',
    'C73',
    keeping((message) => {
      if (message.role !== 'assistant') return message
      const { content, tool_calls } = message
      return { role: 'assistant', content, ...(tool_calls && { tool_calls }) } as Message
    }),
  ),
  broken(
    'makes one text of the parts of an answer',
    'C73',
    keeping((message) =>
      message.role === 'assistant' && Array.isArray(message.content)
        ? { ...message, content: messageText(message) }
        : message,
    ),
  ),
  broken(
    'cuts long tool results that it keeps, and does not say so',
    'C74',
    keeping((message) =>
      message.role === 'tool' && typeof message.content === 'string'
        ? { ...message, content: message.content.slice(0, 30_000) }
        : message,
    ),
  ),
  broken('drops answers that were given before', 'C75', {
    steps: () => ({
      readMessages(messages) {
        const said = new Set<string>()
        return readMessages(messages).filter((message) => {
          if (message.role !== 'user' || message.content !== 'yes') return true
          const isNew = !said.has(message.content)
          said.add(message.content)
          return isNew
        })
      },
    }),
  }),
  broken('stores what was said before only once', 'C67 C68', {
    keeps: true,
    steps: () => ({
      openMessageLog(...place) {
        const log = openMessageLog(...place)
        return {
          ...log,
          write(from, messages) {
            const first = messages.findIndex(({ content }) => content === 'yes')
            log.write(
              from,
              messages.filter(({ content }, at) => content !== 'yes' || at === first),
            )
          },
        }
      },
    }),
  }),
  broken('forgets the system prompt in windows above 64K', 'P03 P12', {
    steps: ({ contextLength }) => ({
      assembleProjection: (plan, summary) =>
        assembleProjection({ ...plan, system: contextLength > 65_536 ? undefined : plan.system }, summary),
    }),
  }),
]
