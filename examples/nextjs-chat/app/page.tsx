import { generateId } from 'ai'
import { redirect } from 'next/navigation'
import { loadChat } from '../lib/store'
import { Chat } from './chat'

/** `/?chat=…` is a chat with everything that was ever said in it; `/` begins one. */
export default async function Page({ searchParams }: { searchParams: Promise<{ chat?: string }> }) {
  const { chat: id } = await searchParams
  if (id === undefined) redirect(`/?chat=${generateId()}`)
  return <Chat id={id} initial={await loadChat(id)} />
}
