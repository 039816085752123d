import { act, code, type Episode, edit, read, run, say, search, shows, user } from '../steps.ts'

/** Long outputs: two days of log, a leaked token, and a clue that nobody understands yet. */
export const readingTheLog: Episode = [
  user(`
    Something else. The accountants say that "the system refuses things" since the month changed.
    logs/service.log has the first two days of April. Read all of it, I mean all, and tell me what they are
    running into.
  `),
  act(
    'About 550 lines. I read it in two parts and count the warnings beside it.',
    shows(read('logs/service.log', 1, 270), 'import.range first=2026-02-28T23:31:00.000Z'),
    shows(search(' warn ', 'logs/service.log'), '47 matches'),
  ),
  act(
    `
    The second half, and each thing that I noticed on its own, so that I have numbers and not an impression.
    `,
    read('logs/service.log', 271, 557),
    shows(search('status=409', 'logs/service.log'), '28 matches'),
    shows(search('status=400', 'logs/service.log'), '18 matches', 'amount=72.5', 'amount=5.5'),
    shows(search('authorization=', 'logs/service.log'), '32 matches'),
  ),
  say(`
    All 557 lines read. 47 warnings, in three groups:

    - **28 times 409, \`already-reversed\`.** Somebody tries to reverse entries that are reversed already. The
      ids have nothing in common, so it looks like people repeating a click, not like one broken entry. The
      service behaves correctly.
    - **18 times 400, \`bad-entry\`.** Always a POST with half a unit: \`amount=72.5\`, \`amount=5.5\`. The tool
      seems to send euros with decimals where it must send cents. This is what "the system refuses things"
      means. The service is right to refuse, and because of rule 2 I would not make it more tolerant.
    - **Once \`import.duplicates … count=4\`**, at 02:26 on 1 April. Those are the four equal payments that we
      fixed this morning.

    Two more things that are not warnings:

    - The service ran with \`TALLY_LOG_LEVEL=debug\` and wrote the Authorization header 32 times, in clear:
      \`Bearer tok_live_…\`. That is T-22, and it is in a file now. The token should be replaced.
    - The import of the *March* statement logs \`first=2026-02-28T23:31:00.000Z\`. That looks odd next to
      "March", but it is the first row of the file, 08:31 in Tokyo, written in UTC. Nothing wrong with it as far
      as I can see.
  `),
  user(`
    The 18 are theirs to fix, I will tell them. The token is more urgent: where else is it? I want to know every
    file.
  `),
  act(
    null,
    shows(search('tok_live_|Bearer', 'src'), 'no matches'),
    shows(search('tok_live_', 'scripts'), 'make-log.ts'),
    read('.env.example'),
    shows(search('authorization', 'src'), 'server.ts:16'),
  ),
  say(`
    Two places besides the log itself: \`.env.example\` line 6, where it stands as a sample value, and
    \`scripts/make-log.ts\`, which uses the same sample to generate the fixture. So what leaked here is the
    sample and not a live key; in production the same line would have written the real one. The code that writes
    it is \`server.ts\` line 16, and nothing in \`log.ts\` stops it.
  `),
  user(`
    Keep the debug line, we need to see whether a header was sent at all. But the log itself must never write a
    secret, whoever calls it. By the name of the field, and also by its looks, because somebody will put a token
    into a path one day.
  `),
  act(
    'Both belong into `log.ts`, the one place that all lines pass. Tests first.',
    read('src/log.ts'),
    edit(
      'test/log.test.ts',
      code`
it('leaves out what is below its level', () => {`,
      code`
it('masks a field that holds a secret by its name', () => {
  const lines: string[] = []
  const log = createLog({ clock, level: 'debug', write: (line) => lines.push(line) })
  log('debug', 'headers', { authorization: 'Bearer abc', cookie: 'a=b', bank_token: 'abc', bytes: 12 })
  log('debug', 'headers', { authorization: 'none' })
  assert.deepEqual(lines, [
    '2026-04-02T10:00:00.000Z debug headers authorization=[masked] cookie=[masked] bank_token=[masked] bytes=12',
    '2026-04-02T10:00:00.000Z debug headers authorization=none',
  ])
})

it('masks what looks like a token, wherever it stands', () => {
  const lines: string[] = []
  const log = createLog({ clock, level: 'debug', write: (line) => lines.push(line) })
  log('info', 'http', { path: '/v1/entries?key=tok_live_abcDEF123456&month=2026-03' })
  assert.deepEqual(lines, ['2026-04-02T10:00:00.000Z info  http path=/v1/entries?key=[masked]&month=2026-03'])
})

it('leaves out what is below its level', () => {`,
    ),
    shows(run('node --test test/log.test.ts', 1), 'fail 2', 'Bearer abc'),
  ),
  act(
    `
    Red for the right reason. The word \`none\` is not a secret and says what you want to know, so it passes.
    `,
    edit(
      'src/log.ts',
      code`
    const pairs = Object.entries(fields).map(([key, value]) => \`\${key}=\${value}\`)
    write([clock.now().toISOString(), level.padEnd(5), event, ...pairs].join(' '))
  }
}
`,
      code`
    const pairs = Object.entries(fields).map(([key, value]) => \`\${key}=\${mask(key, String(value))}\`)
    write([clock.now().toISOString(), level.padEnd(5), event, ...pairs].join(' '))
  }
}

/** Fields whose value never reaches a log, and texts that look like a token in any other field. */
const secretName = /^(authorization|cookie|password|.*token|.*secret)$/i
const secretText = /\b(tok|key|sk)_(live|test)_\w+/g

function mask(key: string, value: string): string {
  if (secretName.test(key) && value !== 'none') return '[masked]'
  return value.replace(secretText, '[masked]')
}
`,
    ),
    shows(run('node --test test/log.test.ts test/server.test.ts'), 'fail 0'),
  ),
  act(
    null,
    edit(
      'docs/known-problems.md',
      '- T-22: the log prints request headers at debug level.',
      '- T-22: fixed. The log masks secrets by field name and by shape. Old log files still hold them and must be deleted.',
    ),
    edit(
      'docs/known-problems.md',
      code`
- T-21: entries live in memory. A restart of the service loses everything that was not imported again.`,
      code`
- T-21: fixed. Entries live in \`data/journal.jsonl\`.`,
    ),
  ),
  say(`
    T-22 is closed in the code: whatever a caller passes, a secret leaves \`log.ts\` as \`[masked]\`. Two things
    are yours: replace the production token, and delete the old log files. I brought the list of known problems
    up to date, T-21 included.
  `),
  user(`
    One more from the same file, since you have it open: they say that tally is slow in the mornings. Who asks
    for what, and how often? Do we need something like a cache?
  `),
  act(
    'All reads and all bookings, as lists, so that I see the rhythm and not only sums.',
    shows(search('method=GET', 'logs/service.log'), '369 matches'),
    shows(search('status=201', 'logs/service.log'), '105 matches', 'E-000311', 'E-000415'),
    shows(search('path=/v1/report', 'logs/service.log'), '111 matches'),
  ),
  say(`
    520 requests in not quite forty hours, so one in four or five minutes:

    | what | how often |
    |---|---|
    | list of entries | 226 |
    | report of a month | 111 |
    | one entry | 32 |
    | booked, 201 | 105, E-000311 to E-000415 without a gap |
    | refused, 400 and 409 | 46 |

    The reads are spread evenly over day and night, so that is a program that polls and not people who come in
    at nine. Nothing here is load; a cache would make it more complicated and not faster. If the mornings are
    slow, it is not because of tally's requests. I would look at what else the machine does at that hour.
  `),
  user('Then no cache. I will ask operations what runs there in the morning.'),
  say(`
    Good. If they find the backup at that hour, the answer is in their schedule and not in this code.
  `),
]
