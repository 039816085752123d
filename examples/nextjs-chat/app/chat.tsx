'use client'

import { useChat } from '@ai-sdk/react'
import { DefaultChatTransport, type UIMessage } from 'ai'
import { type FormEvent, useState } from 'react'

/** The server has the chat: only the new message is sent. */
const transport = new DefaultChatTransport({
  api: '/api/chat',
  prepareSendMessagesRequest: ({ id, messages }) => ({ body: { id, message: messages.at(-1) } }),
})

export function Chat({ id, initial }: { id: string; initial: UIMessage[] }) {
  const { messages, sendMessage, status, error } = useChat({ id, messages: initial, transport })
  const [text, setText] = useState('')
  const send = (event: FormEvent) => {
    event.preventDefault()
    void sendMessage({ text })
    setText('')
  }
  return (
    <main>
      {messages.map((message) => (
        <p key={message.id}>
          <b>{message.role}: </b>
          {message.parts.map((part) => (part.type === 'text' ? part.text : '')).join('')}
        </p>
      ))}
      {error && <p role="alert">{error.message}</p>}
      <form onSubmit={send}>
        <input value={text} onChange={(event) => setText(event.target.value)} aria-label="Message" />
        <button type="submit" disabled={status !== 'ready' || text === ''}>
          Send
        </button>
      </form>
    </main>
  )
}
