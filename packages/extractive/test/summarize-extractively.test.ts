import { describe, expect, it } from 'vitest'
import { SECTION_HEADINGS, summarizeExtractively } from '../src/index.ts'
import { assistant, call, quarter, section, user } from './conversation.ts'

const summarize = (
  messages: Parameters<typeof summarizeExtractively>[0]['messages'],
  maxTokens = 2000,
): string => summarizeExtractively({ messages, maxTokens, tokens: quarter })

const session = [
  user('Port the importer to streams. Never edit `test/api-v1.test.ts`, and use 200 rows per batch.'),
  ...call('read', { path: 'src/importer.ts' }, 'export function importAll() {}'),
  ...call(
    'bash',
    { command: 'npm test 2>&1 | tail -20' },
    'x importer\nError: ENOENT: no such file, open "a.csv"\nTests  1 failed | 12 passed (13)\nexit code: 1',
    true,
  ),
  assistant(
    'The importer reads the whole file because readFile is used. Should I switch to createReadStream instead of readFile?',
  ),
  user('yes, do it'),
  ...call('edit', { path: 'src/importer.ts', oldText: 'a', newText: 'b' }, 'ok'),
  ...call('bash', { command: 'npm test' }, 'Tests  13 passed (13)'),
  assistant('Fixed: the importer now streams. Next step: remove the old fixture.'),
  user('Also rename ImportJob to ImportRun. The staging database is at db.internal:5433.'),
  ...call('bash', { command: 'git push' }, 'fatal: The current branch has no upstream branch.', true),
]

describe('summarizeExtractively', () => {
  it('fills the sections in the order of the template, and leaves out empty ones', () => {
    const headings = summarize(session)
      .split('\n')
      .filter((line) => line.startsWith('## '))
    expect(headings).toEqual(SECTION_HEADINGS.map((heading) => `## ${heading}`))
    expect(summarize([user('Explain monads to me, please.')])).not.toContain('Relevant Files')
  })

  it('starts with a line that says that no model was used', () => {
    const [first] = summarize(session).split('\n')
    expect(first).toMatch(
      /^\[Mechanical extract of 15 messages \(user turns 1-3\), no model used: wording is quoted, not interpreted\./,
    )
  })

  it('quotes what the user asked for, with its turn', () => {
    const goal = section(summarize(session), 'Goal').join('\n')
    expect(goal).toContain('- t1 user: "Port the importer to streams.')
    expect(goal).toContain('- t3 user: "Also rename ImportJob to ImportRun.')
    expect(goal).not.toContain('yes, do it')
  })

  it('keeps rules in the words and the turn of the user', () => {
    expect(section(summarize(session), 'Constraints & Preferences')).toEqual([
      '- t1 user: "Never edit `test/api-v1.test.ts`, and use 200 rows per batch."',
    ])
  })

  it('says who decided, and that a proposal was accepted', () => {
    const decisions = section(summarize(session), 'Key Decisions').join('\n')
    expect(decisions).toContain(
      't2 user accepted ("yes, do it") what the assistant had proposed: "Should I switch to createReadStream',
    )
    expect(decisions).toContain('t3 user: "Also rename ImportJob to ImportRun."')
  })

  it('keeps success and failure of what was done', () => {
    const done = section(summarize(session), 'Done').join('\n')
    expect(done).toContain('`npm test` → failed: "Tests 1 failed | 12 passed (13)"')
    expect(done).toContain('edited importer.ts')
    expect(done).toContain('`npm test` → ok: "Tests 13 passed (13)"')
  })

  it('keeps an error verbatim with what was edited before the same command succeeded', () => {
    expect(section(summarize(session), 'Errors & Fixes')).toEqual([
      '- t1 `npm test` failed: "Error: ENOENT: no such file, open "a.csv""; succeeded at t2 after edits to importer.ts',
    ])
  })

  it('names what failed and did not succeed since, and what was under way', () => {
    const summary = summarize(session)
    expect(section(summary, 'Blocked')).toEqual([
      '- t3 `git push` failed: "fatal: The current branch has no upstream branch."; no success seen since',
    ])
    expect(section(summary, 'In Progress').join('\n')).toContain(
      't3 user: "Also rename ImportJob to ImportRun.',
    )
    expect(section(summary, 'In Progress').join('\n')).toContain(
      'was not answered yet; last call `git push` (failed)',
    )
  })

  it('counts what was done to each file', () => {
    expect(section(summarize(session), 'Relevant Files')).toEqual([
      '- src/importer.ts (edited 1, read 1; last edited t2)',
    ])
  })

  it('tells next steps as something that was said', () => {
    expect(section(summarize(session), 'Next Steps')).toEqual([
      '- t2 assistant said: "Next step: remove the old fixture."',
    ])
  })

  it('keeps values with the words around them, wherever they stood', () => {
    const output = `${'some filler words here and there '.repeat(200)}The snapshot path of KEY-7 is /var/data/x9.bin ${'and more '.repeat(200)}`
    const context = section(
      summarize([...session, ...call('bash', { command: 'cat notes' }, output)]),
      'Critical Context',
    ).join('\n')
    expect(context).toContain('snapshot path of KEY-7 is /var/data/x9.bin')
    expect(context).toContain('t3 user: staging database is at db.internal:5433')
  })

  it('gives the larger share of a small room to the focus topic', () => {
    const topics = ['cache', 'login', 'search', 'upload', 'export', 'billing', 'report', 'menu']
    const messages = topics.flatMap((topic, index) => [
      user(`Please look at the ${topic} page and tell me in detail why it is slow today.`),
      ...call('edit', { path: `src/${topic}/page.ts`, oldText: 'a', newText: 'b' }, 'ok'),
      assistant(`The ${topic} page was slow because of ${topic}Query${index}; fixed.`),
    ])
    const count = (summary: string): number =>
      summary.split('\n').filter((line) => line.includes('login')).length
    const input = { messages, maxTokens: 260, tokens: quarter }
    expect(count(summarizeExtractively({ ...input, focusTopic: 'the login page' }))).toBeGreaterThan(
      count(summarizeExtractively(input)),
    )
  })

  it('lists other identifiers than those that the reader sees anyway', () => {
    const messages = [user('go'), ...call('bash', { command: 'x' }, 'fooBar bazQux')]
    const input = { messages, maxTokens: 400, tokens: quarter }
    expect(summarizeExtractively(input)).toContain('- other symbols: fooBar bazQux')
    expect(summarizeExtractively({ ...input, keep: 'here is fooBar' })).toContain('- other symbols: bazQux')
    expect(summarizeExtractively({ ...input, keep: new Set(['bazQux']) })).toContain(
      '- other symbols: fooBar',
    )
  })

  it('follows the plan that an assistant keeps with a tool', () => {
    const todos = [
      { content: 'Write the parser', status: 'completed' },
      { content: 'Write the printer', status: 'in_progress' },
      { content: 'Write the docs', status: 'pending' },
    ]
    const summary = summarize([user('Build a formatter for SQL.'), ...call('TodoWrite', { todos }, 'ok')])
    expect(section(summary, 'In Progress').join('\n')).toContain(
      `active in the assistant's plan: "Write the printer"`,
    )
    expect(section(summary, 'Next Steps')).toEqual([`- t1 open in the assistant's plan: "Write the docs"`])
    expect(summary).not.toContain('Write the parser')
  })

  it('shows something of every section before it shows much of one', () => {
    const many = Array.from({ length: 60 }, (_, index) => [
      user(`Please rework the page number ${index} with great care and tell me about it in many words.`),
      ...call('write', { path: `src/pages/page-${index}.ts`, content: 'x' }, 'ok'),
      assistant(`Added the page ${index}; it works now.`),
    ]).flat()
    const summary = summarize([...many, ...session], 500)
    for (const heading of [
      'Goal',
      'Constraints & Preferences',
      'Done',
      'Key Decisions',
      'Relevant Files',
      'Errors & Fixes',
      'Next Steps',
    ])
      expect(section(summary, heading).length, heading).toBeGreaterThan(0)
  })

  it('has nothing to say about nothing, and says so shortly when there is no room', () => {
    expect(summarize([])).toBe('')
    expect(summarize(session, 10)).toBe('[Mechanical extract: no room.]')
    expect(summarize(session, 3)).toBe('')
    expect(summarize(session, 0)).toBe('')
    expect(summarize(session, Number.NaN)).toBe('')
  })
})
