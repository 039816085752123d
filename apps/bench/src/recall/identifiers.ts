import { getSystemErrorMap } from 'node:util'

const LEAST_CHARACTERS = 3
const MOST_CHARACTERS = 200

const RUN = /https?:\/\/[^\s"'`<>()[\]{}]+|[\w$@~./+-]{3,}/g
const PLAIN = /^(?:[A-Z]?[a-z]+[.]?|\d+)$/
const SEPARATOR = /^\.+|[-+~@/$]+/
const ADDRESS = /^https?:\/\/\w/
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
const HEX = /^[0-9a-f]{7,128}$/
const NUMBER =
  /(?<![\w.]|\d,)\d+(?:,\d{3})*(?:\.\d+)? ?(?:ns|[uµ]s|ms|seconds?|secs?|minutes?|mins?|hours?|days?|weeks?|[KMGT]i?B|[kKMG]?bytes?|px|rem|tokens?|messages?|lines?|[kMG]?Hz|%)(?![\w%])/g
const QUOTED = /(?<!\w)(["'`])([\w@$#][\w@$#.:/+-]{1,78}\w)\1/g
/** The same on every platform. EOF is also a common end mark in shell commands. */
const SYSTEM_ERRORS: ReadonlySet<string> = new Set(
  Array.from(getSystemErrorMap().values(), ([name]) => name).filter((name) => /^E(?!OF$)/.test(name)),
)
const ERROR =
  /^(?:TS\d{4,5}|[EFWC]\d{3,5}|ERR_\w+|SIG(?:ABRT|BUS|CHLD|FPE|HUP|ILL|INT|KILL|PIPE|QUIT|SEGV|STOP|TERM|TRAP|TSTP|USR[12]|WINCH)|[A-Z]\w*(?:Error|Exception))$/
const NAME = /^[A-Za-z_]\w*$/
const HUMPS = /[A-Za-z0-9]_[A-Za-z0-9]|[a-z0-9][A-Z]|[A-Z]{2}[a-z]{2}/
const EXTENSIONS = new Set(
  `adoc astro bash bat bin c cc cfg cjs clj conf cpp cs css csv dart db eex env erl ex exs fish go gql gradle graphql h
  heex hpp hs html ico ini ipynb java jpg jpeg js json jsonc jsonl jsx kt less lock lua markdown md mdx mjs ml mts
  nix patch pdf php pid pl plist png prisma proto ps1 py pyi rb rs rst sass scala scss sh sock sol sql sqlite svelte svg
  swift tar tf toml ts tsx txt vue wasm webp xml xsd yaml yml zig zip zsh gz tgz`.split(/\s+/),
)
const DOT_FILE = /^\.(?:env|git\w*|\w+(?:rc|ignore|config))$/
/** Stems of dot files with an extension. Other names with a leading dot are suffixes, such as `.test.ts`. */
const DOT_STEM =
  /^\.(?:credo|formatter|git[\w-]+|golangci|iex|markdownlint|pnpmfile|pre-commit-config|rubocop|travis)$/
const BARE_FILE = /^(?:Makefile|Dockerfile|Gemfile|Rakefile|Procfile|Justfile|CMakeLists)$/

/**
 * Paths, file names, URLs, symbols, hashes, numbers with units, error codes, and quoted names; the longest of nested
 * ones counts. Independent of the engines' patterns, so that none is measured with its own. `passed`: arguments of
 * tools.
 */
export function identifiersOf(said: string, passed = ''): Set<string> {
  const found = new Set<string>()
  const rest = takeRuns(said, found)
  for (const [, , name = ''] of rest.matchAll(QUOTED)) found.add(name)
  for (const text of [rest, takeRuns(passed, found)])
    for (const [name] of text.matchAll(NUMBER)) if (name.length >= LEAST_CHARACTERS) found.add(name)
  return found
}

function takeRuns(text: string, found: Set<string>): string {
  return text.replace(RUN, (run, offset: number) => {
    if (run.length > MOST_CHARACTERS || (PLAIN.test(run) && !BARE_FILE.test(run))) return run
    const isClosingTag = run.startsWith('/') && text[offset - 1] === '<'
    const name = trimmed(isClosingTag ? run.slice(1) : run)
    if (/^\.\w/.test(name) && !isFile(name) && isFile(name.slice(1))) return run
    const names = isIdentifier(name) ? [name] : partsOf(name)
    for (const each of names) found.add(each)
    return names.length > 0 ? ' ' : run
  })
}

function partsOf(run: string): string[] {
  if (!SEPARATOR.test(run)) return []
  const parts = run.split(SEPARATOR).map(trimmed)
  return parts.filter(isIdentifier)
}

function trimmed(run: string): string {
  if (ADDRESS.test(run)) return run.replace(/[.,;:!?*]+$/, '')
  return run.replace(/^(?:[-+]|\$(?!\w+\/))*(?:\.{3,}\/?|\.\.(?=\w))?/, '').replace(/[-+$@~./]+$/, '')
}

function isIdentifier(run: string): boolean {
  if (run.length < LEAST_CHARACTERS) return false
  const isHash = UUID.test(run) || (HEX.test(run) && /\d/.test(run) && /[a-f]/.test(run))
  const isError = SYSTEM_ERRORS.has(run) || ERROR.test(run)
  return ADDRESS.test(run) || isHash || isError || isPath(run) || isFile(run) || isSymbol(run)
}

function isFile(run: string): boolean {
  if (DOT_FILE.test(run) || BARE_FILE.test(run)) return true
  const dot = run.lastIndexOf('.')
  if (dot < 1) return false
  const stem = run.slice(0, dot)
  return (
    EXTENSIONS.has(run.slice(dot + 1)) &&
    (stem.startsWith('.')
      ? DOT_FILE.test(stem) || DOT_STEM.test(stem)
      : stem.length > 1 && /^\w[\w+@-]*(?:\.[\w+@-]+)*$/.test(stem) && /[A-Za-z]/.test(stem))
  )
}

function isSymbol(run: string): boolean {
  const parts = run.split('.')
  if (!parts.every((part) => NAME.test(part))) return false
  // Not "e.g" and not "a.m".
  return parts.length === 1 ? HUMPS.test(run) : run.length > 4 && parts.some((part) => part.length > 1)
}

const FOLDERS =
  /^(?:app|apps|assets|bench|bin|build|client|cmd|components?|config|crates|deps|dist|docs?|e2e|etc|examples?|fixtures?|home|include|internal|lib|libs|migrations|modules|node_modules|opt|packages|pages|pkg|plugins|priv|public|scripts?|server|services|spec|src|static|styles|target|templates|test|tests|tmp|tools|usr|utils|var|vendor|web)$/

const ROOTED = /^(?:~|\.{1,2}|@|\$\w+)?\//
const EXTENSION = /\w\.[A-Za-z]\w{0,9}$/
const COMPOUND = /[a-z0-9][A-Z]|[A-Za-z0-9][._-][A-Za-z]/

/** Not a fraction (`1/2`), a choice (`and/or`), a rate (`km/h`), or the end of a regular expression (`m/g`). */
function isPath(run: string): boolean {
  if (!run.includes('/') || run.includes('//')) return false
  const segments = run.split('/').filter((segment) => !/^[.~@]*$/.test(segment))
  const last = segments.at(-1) ?? ''
  if (last.length < 2 || !segments.some((segment) => /[A-Za-z]{2}/.test(segment))) return false
  if (ROOTED.test(run) || EXTENSION.test(last)) return true
  if (segments.length < 2 || !segments.every((segment) => /[A-Za-z]/.test(segment) && segment.length > 1))
    return false
  return (
    run.startsWith('@') ||
    segments.length > 2 ||
    FOLDERS.test(segments[0] ?? '') ||
    segments.some((segment) => COMPOUND.test(segment))
  )
}
