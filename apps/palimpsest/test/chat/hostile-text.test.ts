import { ModelError } from '@palimpsest/core'
import { expect, it } from 'vitest'
import { GRACE_MS } from '../../src/chat/chat-screen.ts'
import { openChat } from './open-chat.ts'
import { KEYS } from './virtual-terminal.ts'

/** Sets the clipboard, the title, a colour that nothing here uses; clears the screen; turns the direction of text. */
const HOSTILE =
  'x\x1b]52;c;aGk=\x07\x1b]0;title\x07\x1b[35;43m\x1b[2J\x9b31m\x9d0;t\x9c\r\b\u202egnp.exe\u2066\u200b\x1b]8;;http://evil\x1b\\y\ud800'

it('shows hostile texts from every side, and lets the terminal obey none of them', async () => {
  const { terminal, wait } = await openChat({
    resume: 'session-1',
    facts: { model: `openai:${HOSTILE}`, workspace: HOSTILE, warnings: [HOSTILE], caching: HOSTILE },
    history: [
      { role: 'user', content: HOSTILE },
      { role: 'assistant', content: HOSTILE },
    ],
    chats: [{ id: 'evil', workspace: HOSTILE, firstWords: HOSTILE, at: 0, messages: 1 }],
    answer: async (text, { on, confirm, signal }) => {
      for (const piece of [
        HOSTILE,
        '\x1b',
        ']52;c;aGk=\x07',
        `\`${HOSTILE}\` [link](http://a/${HOSTILE}) &#27;[35m`,
      ])
        on({ type: 'text', text: piece })
      on({ type: 'tool-start', id: '1', name: HOSTILE, summary: HOSTILE })
      on({ type: 'tool-end', id: '1', name: HOSTILE, ok: true, result: `${HOSTILE}\n${HOSTILE}` })
      on({ type: 'warning', warning: { code: 'x', message: HOSTILE } })
      await confirm({ kind: 'edit', subject: HOSTILE, diff: `+${HOSTILE}\n` }, signal)
      throw new ModelError('unknown', `${text} ${HOSTILE}`)
    },
  })
  terminal.paste(`go ${HOSTILE}`)
  terminal.press(KEYS.enter)
  await terminal.shows('Allow it?')
  wait(GRACE_MS)
  terminal.press('y')
  await terminal.shows('/retry asks again.')
  terminal.say('/resume')
  await terminal.shows('Which session?')
  await terminal.shows('␛]52;c;aGk=')
  // The library ends a link at the end of every line. None ever begins: no address hides behind a text.
  const bytes = terminal.written
    .replaceAll('\x1b]8;;\x07', '')
    .replaceAll('\x1b', 'ESC')
    .replace(/[\r\n]/g, '')
  expect(bytes).not.toMatch(/ESC\]|ESC\[35|ESC\[2J|\p{Cc}|[\u202e\u2066\u200b]|\p{Cs}/u)
})
