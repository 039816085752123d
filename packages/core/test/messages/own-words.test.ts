import { expect, it } from 'vitest'
import {
  checkProjection,
  findLastUser,
  type Message,
  ownWords,
  renderSummary,
  repairMessages,
} from '../../src/index.ts'
import { readInstruction } from '../../src/messages/instructions.ts'

const user = (content: string | { readonly type: 'text'; readonly text: string }[]): Message => ({
  role: 'user',
  content: content as string,
})
const reminder = user('<system-reminder>The list is empty.</system-reminder>\n')
const image = { type: 'image_url', image_url: { url: 'data:image/png;base64,AA' } }

it('leaves out what a host inserted', () => {
  const text = 'Before.\n<system-reminder>always</system-reminder>After.<task-notification>cut off'
  expect(ownWords(text)).toBe('Before.\nAfter.')
})

it('reads an instruction back that stands in the role of the user', () => {
  const parts = [
    { type: 'text' as const, text: 'Answer in French.' },
    { type: 'text' as const, text: 'Never touch vendor/.' },
  ]
  for (const content of ['Answer in French.\nNever touch vendor/.', parts]) {
    const list: Message[] = [user('Hello.'), { role: 'developer', content }]
    const [, turned] = repairMessages(list).messages
    expect(turned?.role).toBe('user')
    expect([list[1], turned].map((message) => readInstruction(message as Message))).toEqual(
      Array(2).fill('Answer in French.\nNever touch vendor/.'),
    )
  }
  expect(readInstruction(user('<system-message>'))).toBeUndefined()
})

it('finds the last message in which the user says something', () => {
  const summary = user(renderSummary('what was said'))
  const turned = repairMessages([user('a'), { role: 'system', content: 'Be brief.' }]).messages
  expect(findLastUser([user('a'), { role: 'assistant', content: 'b' }, summary])).toBe(0)
  expect(findLastUser([user('a'), reminder])).toBe(0)
  expect(findLastUser(turned)).toBe(0)
  for (const said of [
    user('<system-reminder>The list is empty.</system-reminder> Go on.'),
    user('<div> is not closed'),
    { role: 'user', content: [{ type: 'text', text: reminder.content }, image] } as Message,
  ])
    expect(findLastUser([user('a'), said])).toBe(1)
  // Nothing else is there.
  expect(findLastUser([summary, reminder])).toBe(1)
  expect(findLastUser([summary])).toBe(-1)
})

it.each<[string, Message]>([
  ['a reminder', reminder],
  ['an instruction', { role: 'system', content: 'Be brief.' }],
])('invariant 4 takes the user for the last speaker, or %s behind', (_, late) => {
  const transcript = [user('Fix it.'), { role: 'assistant', content: 'Fine.' } as const, late]
  const [asked, , shown] = repairMessages(transcript).messages as [Message, Message, Message]
  const invariants = (...projection: Message[]) =>
    checkProjection(projection, transcript).map(({ invariant }) => invariant)
  expect(invariants(asked, { role: 'assistant', content: 'Fine.' })).toEqual([])
  expect(invariants(shown)).toEqual([])
  expect(invariants(user(renderSummary('Fix it.')))).toEqual([4])
})
