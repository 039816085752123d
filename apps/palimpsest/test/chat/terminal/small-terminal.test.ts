import { expect, it } from 'vitest'
import { GRACE_MS } from '../../../src/chat/terminal/choice-dialog.ts'
import { COMPACTED } from './fake-agent.ts'
import { openChat } from './open-chat.ts'
import { KEYS } from './virtual-terminal.ts'

const WIDE = '日本語のテキスト 👩‍👩‍👧 wide and anunbreakablywordthatislongerthanthescreen'

it('works on 20 columns and 5 rows', async () => {
  const { terminal, wait, ended } = await openChat({
    columns: 20,
    rows: 5,
    answer: async (_text, { on, confirm, signal }) => {
      on({
        type: 'text',
        text: `# ${WIDE}\n\n| a | b | c |\n|---|---|---|\n| ${WIDE} | 2 | 3 |\n\n- ${WIDE}`,
      })
      on({ type: 'tool-start', id: '1', name: 'read', summary: WIDE })
      on({ type: 'tool-end', id: '1', name: 'read', ok: true, took: 5, result: WIDE })
      on({ type: 'compaction', trigger: 'threshold', result: COMPACTED })
      on({ type: 'text', text: `\`\`\`\n${WIDE}\n\`\`\`\n> ${WIDE}` })
      await confirm({ kind: 'run', subject: WIDE }, signal)
      return ''
    },
  })
  terminal.press(...'typed')
  await expect.poll(terminal.lines.bind(terminal)).toContainEqual('typed')
  expect((await terminal.lines()).at(-1)).toBe('8,765 tokens')
  terminal.press(KEYS.enter)
  // All three answers are in sight.
  await expect
    .poll(async () => (await terminal.lines()).join('|'))
    .toMatch(/→ n {2}No.*\|.*y {2}Yes.*\|.*a {2}Always/)
  wait(GRACE_MS)
  terminal.press('y')
  await terminal.shows('allowed')
  terminal.press('/')
  await terminal.shows('→ compress')
  expect(await terminal.lines()).toContainEqual('/')
  terminal.press(KEYS.escape, KEYS.ctrlC, KEYS.ctrlC, KEYS.ctrlC)
  await ended
})

it('is drawn anew when the size changes while an answer comes', async () => {
  const { terminal } = await openChat({
    columns: 80,
    rows: 24,
    answer: async (_text, { on }) => {
      terminal.press(...'日本')
      for (const [index, columns] of [80, 20, 1, 2, 120].entries()) {
        terminal.resize(columns, 5 + index * 4)
        on({ type: 'text', text: `part${index} ${WIDE} ` })
        await expect.poll(terminal.text.bind(terminal)).toContain(`part${index}`)
      }
      return ''
    },
  })
  terminal.say('go')
  const all = await terminal.shows('part4')
  expect(all).toContain('─\n日本\n─')
  expect(all.match(/> go/g)).toHaveLength(1)
  expect(all).toMatch(/part0.*part1/s)
})
