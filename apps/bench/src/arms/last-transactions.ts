import { type Message, type Transaction, toolCallsOf } from '@palimpsest/core'

/**
 * What `toolTransactions` finds, from the end of a conversation to its beginning. Only what is asked for is read: who wants
 * the end of a long conversation at every request does not walk all of it every time.
 */
export function* lastTransactions(messages: readonly Message[]): Generator<Transaction> {
  for (let end = messages.length; end > 0; ) {
    let call = end - 1
    while (messages[call]?.role === 'tool') call--
    const message = messages[call]
    // A result without its call is one by itself.
    const start = message !== undefined && toolCallsOf(message).length > 0 ? call : end - 1
    yield { start, end }
    end = start
  }
}
