import type { KnownConversation } from '../recognition/conversation-index.ts'

/** What a conversation is called where all clients' are: in the stores of engines, among workers, and on the page. */
export function conversationId({ owner, name }: Pick<KnownConversation, 'owner' | 'name'>): string {
  return `gateway:${owner}:${name}`
}
