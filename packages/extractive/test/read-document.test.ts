import { describe, expect, it } from 'vitest'
import { type ExtractiveInput, summarizeExtractively } from '../src/index.ts'
import { assistant, call, quarter, user } from './conversation.ts'

const TICKET = `# Ticket 12: currencies

Customers hold accounts in several currencies.

Acceptance criteria:
- A transfer names a rate source
- Rounding is half-even,
  at the end only

## Notes
Ask Dana.
`
const POINTS =
  '# Ticket 12: currencies Acceptance criteria: - A transfer names a rate source - Rounding is half-even, at the end only'

const summarize = (messages: ExtractiveInput['messages'], options: Partial<ExtractiveInput> = {}) =>
  summarizeExtractively({ messages, maxTokens: 1_000, tokens: quarter, ...options })
const documents = (summary: string) => summary.split('\n').filter((line) => / document: /.test(line))

describe('a document that the user points at', () => {
  it.each([
    ['do ticket 12', 'read_file', { path: 'tickets/12.md' }],
    ['Implement the plan in PLAN.md.', 'bash', { command: 'cat docs/PLAN.md' }],
    ['please fix #12', 'bash', { command: 'gh issue view 12' }],
    ['PROJ-12 now', 'get_issue', { id: 'PROJ-12' }],
  ])('%s: is quoted by its title and its points', (request, tool, args) => {
    const [line = ''] = documents(summarize([user(request), ...call(tool, args, TICKET)]))
    expect(line).toMatch(/^- t1 document: /)
    expect(line).toContain(POINTS)
  })

  it('is quoted as it was read last, also when an earlier summary tells of the request or of the document', () => {
    const read = (text: string) => call('read_file', { path: 'tickets/12.md' }, text)
    const first = summarize([user('do ticket 12'), ...read(TICKET.replace('half-even', 'half-up'))])
    const next = summarize([assistant('Once more.'), ...read(TICKET)], { previousSummary: first })
    expect(documents(next)).toHaveLength(1)
    expect(next).toContain('half-even')
    expect(documents(summarize([user('Thanks.')], { previousSummary: next }))).toEqual(documents(next))
  })

  it('goes when the user has said more than three things since', () => {
    const read = [user('do ticket 12'), ...call('read_file', { path: 'tickets/12.md' }, TICKET)]
    const nods = Array.from({ length: 4 }, (_, at) => user(`Fine, now part ${'abcd'[at]}.`))
    expect(documents(summarize([...read, ...nods.slice(1)]))).toHaveLength(1)
    expect(documents(summarize([...read, ...nods]))).toEqual([])
  })

  it('is found by the request that stands beside the summary', () => {
    const messages = call('read_file', { path: 'tickets/12.md' }, TICKET)
    expect(documents(summarize(messages))).toEqual([])
    expect(documents(summarize(messages, { request: user('do ticket 12') }))).toHaveLength(1)
  })

  it('keeps every point, each cut shorter, where there is little room', () => {
    const points = Array.from({ length: 6 }, (_, at) => `- Point ${at} ${'says more of it '.repeat(12)}`)
    const [line = ''] = documents(
      summarize([user('do ticket 12'), ...call('read_file', { path: '12.md' }, points.join('\n'))], {
        maxTokens: 220,
      }),
    )
    for (const at of points.keys()) expect(line).toContain(`- Point ${at} says`)
    expect(line.match(/…/g)).toHaveLength(6)
  })

  it.each([
    ['a file that nobody named', 'do ticket 12', { path: 'README.md' }, TICKET],
    ['code', 'fix src/a.ts', { path: 'src/a.ts' }, '/**\n * - one\n * - two\n */\nexport const a = 1'],
    ['a diff', 'what is in a.ts?', { command: 'git diff a.ts' }, '-  const a = 1\n-  const b = 2'],
    ['what a long message mentions', `12 ${'and so on '.repeat(80)}`, { path: '12.md' }, TICKET],
  ])('is not %s', (_, request, args, text) => {
    expect(documents(summarize([user(request), ...call('read_file', args, text)]))).toEqual([])
  })
})
