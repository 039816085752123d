import { beforeEach, describe, expect, it } from 'vitest'
import { engineModule, SHORT, usePluginFolder } from './plugin-folder.ts'
import { runCli } from './run-cli.ts'

const { path, plugin, write } = usePluginFolder()
beforeEach(() => write('session.json', SHORT))

const replay = (...flags: string[]) =>
  runCli(['replay', 'session.json', '--engine', 'odd', ...flags], { cwd: path() })

/** An engine that compacts at each request, with the statements in its `compress`. */
const eager = (statements: string) =>
  engineModule('odd')
    .replace('shouldCompress: () => false', 'shouldCompress: () => true')
    .replace('({ messages }) => {', `({ messages }) => { ${statements}`)

describe('an engine that fails outside every call', () => {
  it.each([
    [
      'leaves a rejected promise behind',
      `${engineModule('odd')}\nPromise.reject(new Error("out of\\norder"))`,
      /out of/,
    ],
    [
      'throws where nobody can catch it',
      eager('process.nextTick(() => { throw "lost" }); await new Promise(setImmediate)'),
      /lost/,
    ],
  ])('ends the program when it %s: one line, exit code 2, no report', async (_, module, message) => {
    await plugin('odd', module)
    const { code, stdout, stderr } = await replay()
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toMatch(/^palimpsest: [^\n]+\n$/)
    expect(stderr.trimEnd()).toMatch(message)
  })
})

describe('an engine that does more than it was asked', () => {
  it('does not keep the program alive, and what it prints does not get into the report', async () => {
    await plugin('odd', `${engineModule('odd')}\nsetInterval(() => {}, 1000)\nconsole.log("I am here")`)
    const { code, stdout, stderr } = await replay('--json')
    expect({ code, stderr }).toEqual({ code: 0, stderr: 'I am here\n' })
    expect(JSON.parse(stdout)).toMatchObject({ engine: 'odd' })
  })
})
