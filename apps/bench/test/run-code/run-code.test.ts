import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import { createRunCode } from '../../src/run-code/run-code.ts'

const sandbox = new URL('../../src/run-code/sandbox.ts', import.meta.url)
const runCode = createRunCode(sandbox)
const run = (program: string, expression = 'work(2)') => runCode({ program, expression })

const scratch = mkdtempSync(join(tmpdir(), 'palimpsest-run-code-'))
let asked = 0
const server = createServer((_, response) => {
  asked++
  response.end()
}).listen(0, '127.0.0.1')
afterAll(() => {
  server.close()
  rmSync(scratch, { recursive: true })
})

describe('runCode', () => {
  it('gives the value of what a program computes', async () => {
    expect(await run('function work(n) { return [n, n * 21] }')).toEqual({ value: [2, 42] })
    expect(await run('const work = (n) => Math.ceil(n / 10)')).toEqual({ value: 1 })
  })

  it.each([
    ['a mistake in its grammar', 'function work( {', /invalid property name/],
    ['a function that is missing', 'const other = 1', /work/],
    ['what it throws', "function work() { throw new Error('not today') }", /not today/],
    ['a loop without an end', 'function work() { for (;;); }', /interrupted/],
    ['a loop without an end before it is called', 'for (;;);', /interrupted/],
    [
      'memory without an end',
      'function work() { const a = []; for (;;) a.push(new Array(10000).fill(1)) }',
      /memory|interrupted/i,
    ],
    ['calls without an end', 'function work() { return work() + 1 }', /stack|interrupted/i],
    ['a value that JSON cannot hold', 'function work() { return 10n }', /BigInt/],
    [
      'a pattern without an end',
      "function work() { return /^(a+)+$/.test('a'.repeat(40) + 'b') }",
      /interrupted|stopped/,
    ],
  ])('reports %s, and goes on', async (_, program, error) => {
    const report = await run(program)
    expect('error' in report ? report.error : report).toMatch(error)
  })

  it('stops work without an end inside of one instruction, and goes on', async () => {
    // A core is busy until then.
    const soon = createRunCode(sandbox, 4_000)
    const program = "function work() { return new Array(4e9).join('x') }"
    expect(await soon({ program, expression: 'work()' })).toMatchObject({
      error: expect.stringMatching(/stopped/),
    })
  })

  it('gives a program nothing of this machine', async () => {
    const names = [
      'process',
      'require',
      'module',
      'fetch',
      'XMLHttpRequest',
      'WebSocket',
      'Worker',
      'Deno',
      'Bun',
      'console',
      'setTimeout',
      'WebAssembly',
      'std',
      'os',
      'scriptArgs',
      'print',
    ]
    expect(await run('', `${JSON.stringify(names)}.filter((name) => name in globalThis)`)).toEqual({
      value: [],
    })
    const wayOut = "(() => {}).constructor('return typeof process + typeof require')()"
    expect(await run('', wayOut)).toEqual({ value: 'undefinedundefined' })
  })

  it('keeps a program from the network, from files and from other programs', async () => {
    const { port } = server.address() as AddressInfo
    const file = join(scratch, 'written')
    for (const program of [
      `function work() { return fetch('http://127.0.0.1:${port}/').status }`,
      `function work() { return require('node:http').get('http://127.0.0.1:${port}/') }`,
      `import('node:http').then((http) => http.get('http://127.0.0.1:${port}/')); function work() { return 1 }`,
      `function work() { return require('node:fs').writeFileSync(${JSON.stringify(file)}, 'x') }`,
      `function work() { return process.mainModule.require('node:child_process').execSync('touch ${file}') }`,
    ])
      await run(program)
    expect(asked).toBe(0)
    expect(() => rmSync(file)).toThrow('ENOENT')
  })

  it('says so when there is no sandbox, and does not call the program wrong', async () => {
    await expect(
      createRunCode(pathToFileURL(join(scratch, 'nowhere.ts')))({ program: '', expression: '1' }),
    ).rejects.toThrow(/the sandbox does not work/)
  })
})
