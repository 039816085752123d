import fc from 'fast-check'
import { parse } from 'jsonc-parser'
import { parse as parseToml } from 'smol-toml'
import { expect, test } from 'vitest'
import { HOSTS, type HostFile, type Place } from '../../src/connect/hosts.ts'

const place: Place = {
  isProject: true,
  folder: '/work',
  environment: {},
  command: ['npx', '-y', '@palimpsest/cli'],
}
const [mcp, settings] = HOSTS['claude-code'](place) as [HostFile, HostFile]
const [opencode] = HOSTS.opencode(place) as [HostFile]
const [codex, codexHooks] = HOSTS.codex({ ...place, isProject: false }) as [HostFile, HostFile]

const others = fc.constantFrom(
  '"other": { "command": "x", "args": ["a,b", "}"] }',
  '"palimpsest-2": {}',
  '"url": "https://example.org/*x*/"',
  '"n": [1, 2]',
)
const space = fc.constantFrom(
  '',
  ' ',
  '\n',
  '\n\t',
  '\r\n    ',
  '  \n  ',
  ' // note, "x": {}  \n',
  ' /* a, } */ ',
  '/* b\n */',
)
const container = (inner: fc.Arbitrary<string>, [open, close]: readonly [string, string]) =>
  fc
    .tuple(fc.array(fc.tuple(space, inner, space), { maxLength: 3 }), space, fc.boolean())
    .map(([items, end, trails]) => {
      const body = items.map((item) => item.join('')).join(',')
      return `${open}${body}${trails && items.length > 0 ? ',' : ''}${end}${close}`
    })
const braces = ['{', '}'] as const
const hook = fc.constantFrom(
  '{ "matcher": "startup", "hooks": [{ "type": "command", "command": "date" }] }',
  '{"hooks":[]}',
)
const sessionStart = container(hook, ['[', ']']).map((list) => `"SessionStart": ${list}`)
const root = (...keys: string[]) =>
  container(
    fc.oneof(
      others.map((other) => other.replace(/^"/, '"x-')),
      fc
        .tuple(fc.constantFrom(...keys), container(others, braces))
        .map(([key, inner]) => `"${key}": ${inner}`),
      container(sessionStart, braces).map((inner) => `"hooks": ${inner}`),
    ),
    braces,
  )
    // One of a kind: what a second property of a name means differs between clients.
    .filter((text) => keys.concat('hooks').every((key) => text.split(`"${key}":`).length < 3))
    .filter((text) => text.split('"SessionStart"').length < 3)
const jsonFile = fc
  .tuple(
    fc.constantFrom('', '// first\n', '\n', '\uFEFF'),
    root('mcpServers', 'mcp'),
    fc.constantFrom('', '\n', '\r\n'),
  )
  .map((parts) => parts.join(''))

/** Without objects and lists that hold nothing: the entry takes its own along when it goes. */
function pruned(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(pruned).filter((item) => item !== undefined)
  if (typeof value !== 'object' || value === null) return value
  const kept = Object.entries(value).map(([key, inner]) => [key, pruned(inner)] as const)
  const full = kept.filter(([, inner]) => inner !== undefined && JSON.stringify(inner) !== '[]')
  return full.length === 0 ? undefined : Object.fromEntries(full)
}

test('in any JSON file an entry is added once, is found by a parser, and goes; comments stay', () => {
  fc.assert(
    fc.property(jsonFile, fc.constantFrom(mcp, settings, opencode, codexHooks), (text, file) => {
      const written = file.add(text)
      expect(written).not.toBe(text)
      expect(file.add(written)).toBe(written)
      for (const comment of ['// first', '// note', '/* a', '/* b'])
        expect(written.split(comment)).toHaveLength(text.split(comment).length)
      const { mcpServers, hooks, mcp: servers, ...rest } = parse(written.replace('\uFEFF', ''))
      const before = parse(text.replace('\uFEFF', ''))
      expect(pruned(parse(file.remove(written)?.replace('\uFEFF', '') ?? '{}'))).toEqual(pruned(before))
      const own = [mcpServers?.palimpsest, servers?.palimpsest, ...(hooks?.SessionStart ?? [])]
      expect(own.filter((value) => JSON.stringify(value ?? '').includes('@palimpsest/cli'))).toHaveLength(1)
      const { mcpServers: _, hooks: __, mcp: ___, ...restBefore } = before
      expect(rest).toEqual(restBefore)
    }),
    { numRuns: 1_000 },
  )
})

const tomlLine = fc.constantFrom(
  'model = "gpt" # not [mcp_servers.palimpsest]',
  '[mcp_servers.other]\ncommand = "x"',
  '[profiles.a]\r\nn = 9007199254740993',
  '# a comment',
  '',
  '[profiles."[mcp_servers.x]"]',
  '[notes]\ntext = """\n[x]\n"""',
)
const tomlFile = fc
  .tuple(fc.uniqueArray(tomlLine), fc.constantFrom('', '\n', '\n\n', ' '))
  .map(([lines, end]) => lines.join('\n') + end)
  .filter((text) => text.indexOf('model') < 0 || !text.slice(0, text.indexOf('model')).includes('['))

test('in any TOML file the table is added once, and goes without a trace', () => {
  fc.assert(
    fc.property(tomlFile, fc.constantFrom('', '\n# more\n[tools]\nweb = true\n'), (text, more) => {
      const written = codex.add(text)
      expect(codex.add(written)).toBe(written)
      expect(codex.remove(written)).toBe(text)
      const options = { integersAsBigInt: true } as const
      const { palimpsest } = (parseToml(written, options) as { mcp_servers: { palimpsest: object } })
        .mcp_servers
      expect({ ...palimpsest }).toEqual({ command: 'npx', args: ['-y', '@palimpsest/cli', 'mcp'] })
      // The text that was written behind it stays.
      const left = codex.remove(`${written}${more}`)
      expect(left?.replaceAll('\n', '')).toBe(`${text}${more}`.replaceAll('\n', ''))
    }),
  )
})

test('what was added beside the entry later stays', () => {
  expect(settings.remove(`// mine\n${settings.add(undefined)}`)).toBe('// mine\n{\n}\n')
  const written = mcp.add('{\n  "a": 1\n}\n')
  const later = written.replace('"palimpsest": {', '"other": {},\n    "palimpsest": {')
  expect(mcp.remove(later)).toBe('{\n  "a": 1,\n  "mcpServers": {\n    "other": {}\n  }\n}\n')
  const hooked = settings.add(undefined).replace('"hooks": [\n', '"hooks": [\n{ "command": "date" },\n')
  expect(parse(settings.remove(hooked) ?? '')).toEqual({
    hooks: { SessionStart: [{ matcher: 'compact|resume', hooks: [{ command: 'date' }] }] },
  })
  const approved = `${codex.add('x = 1\n')}\n[mcp_servers.palimpsest.tools.lcm_grep]\napproval_mode = "approve"\n\n[a]\n`
  expect(codex.remove(approved)).toBe('x = 1\n\n[a]\n')
})

test.each([
  [mcp, '', 'it is empty'],
  [mcp, '{\n"a": }', 'line 2 is not valid JSON'],
  [mcp, '[]', 'it does not contain a JSON object; correct it'],
  [mcp, '{ "mcpServers": [] }', '"mcpServers" is no object'],
  [settings, '{ "hooks": { "SessionStart": {} } }', '"hooks.SessionStart" is no list'],
  [settings, '{ "hooks": "x" }', '"hooks" is no object'],
  [codex, 'a = 1\nb =', 'line 2 is not valid TOML'],
  [codex, 'mcp_servers = { other = { command = "x" } }', 'no table can be added'],
  [codex, 'mcp_servers = 1', 'no table can be added'],
] as const)('a file that is not understood is refused with the reason (%#)', (file, text, reason) => {
  expect(() => file.add(text)).toThrow(reason)
})
