import { freezeMessage, type Message } from '../src/index.ts'
import { assistant, calling, result, user } from './session/talk.ts'

/** A frozen conversation of turns, each with two calls in five messages, that tells when one of its messages is read. */
export function watchedHistory(turns: number, onRead: () => void): readonly Message[] {
  const messages = Array.from({ length: turns }, (_, turn) => {
    const ids = [`${turn}-a`, `${turn}-b`]
    const results = ids.map((id) => result(id))
    return [user(`question ${turn}`), calling(...ids), ...results, assistant(`answer ${turn}`)]
  }).flat()
  return messages.map((message) => freezeMessage(watched(message, onRead)))
}

/** The message, with its role behind a getter: nothing is found out about a message without it. */
function watched(message: Message, onRead: () => void): Message {
  const { role } = message
  return Object.defineProperty({ ...message }, 'role', {
    enumerable: true,
    get() {
      onRead()
      return role
    },
  })
}
