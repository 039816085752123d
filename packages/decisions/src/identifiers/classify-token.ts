import { COLON, DASH, DIGIT, DOT, HUMP, LOWER, SIGIL, SLASH, UNDERSCORE, UPPER } from './char-classes.ts'
import type { IdentifierKind } from './identifier.ts'

const EXTENSION =
  /\.(?:[cm]?[jt]sx?|jsonc?|jsonl|ndjson|mdx?|rst|txt|exs?|heex|erl|pyi?|ipynb|rb|rs|go|java|kts?|scala|swift|[ch](?:pp|xx)?|cs|fs|php|pl|lua|jl|dart|zig|nim|vue|svelte|astro|html?|s?css|sass|less|svg|png|jpe?g|gif|webp|ico|pdf|ya?ml|toml|ini|cfg|conf|lock|xml|csv|tsv|parquet|sql|db|sqlite3?|proto|graphql|gql|sh|bash|zsh|fish|ps1|bat|pem|crt|zip|tar|t?gz|whl|jar|wasm|so|dll|exe|bin|bak|tmp|patch|tf|tfvars|hcl|nix|gradle|cmake|mk|plist)$/i
const DOTFILE =
  /^\.(?:git\w*|env[\w.]*|npmrc|nvmrc|yarnrc|eslint\w*|prettier\w*|babelrc|editorconfig|docker\w*|github|gitlab|vscode|idea|ssh|aws|bashrc|zshrc|profile|config|cache|venv|tool-versions|python-version|credo\.exs|formatter\.exs)$/
const ROOT_FOLDER =
  /^(?:src|lib|libs|test|tests|spec|specs|packages|pkg|docs?|apps?|bin|scripts?|dist|build|node_modules|config|assets|public|static|internal|cmd|vendor|examples?|tools?|priv|etc|var|tmp|usr|home|opt|\.\w+)\//
const BRANCH =
  /^(?:feature|feat|fix|bugfix|hotfix|release|chore|refactor|origin|upstream|users?|dependabot|renovate)\/[\w./-]+$/
const ERROR_CODE =
  /^(?:TS\d{4,5}|E\d{3,5}|CS\d{4}|C\d{4}|LNK\d{4}|ORA-\d{4,5}|ERR_[A-Z0-9_]+|[A-Z]{2,}_ERR(?:OR)?(?:_[A-Z0-9_]+)?|SQLSTATE\w*|SIG(?:KILL|TERM|SEGV|ABRT|INT|HUP|PIPE|BUS)|0x[89a-fA-F][0-9a-fA-F]{7})$/
const ERRNO =
  /^E(?:NOENT|ACCES|PERM|EXIST|NOTDIR|ISDIR|INVAL|MFILE|NFILE|NOSPC|PIPE|AGAIN|BUSY|ROFS|XDEV|LOOP|NOTEMPTY|NOMEM|PROTO|NOTSUP|BADF|INTR|SRCH|CANCELED|RESOLVE|CONNREFUSED|CONNRESET|CONNABORTED|TIMEDOUT|NOTFOUND|ADDRINUSE|ADDRNOTAVAIL|HOSTUNREACH|NETUNREACH|AI_AGAIN|TARGET|INTEGRITY|OTP|FBIG|MSGSIZE)$/
const ERROR_NAME = /^(?:\w+(?:\.|::))*[A-Z]\w*(?:Error|Exception|Panic|Fault)$/
const UNIT =
  /^\d[\d_,]*(?:\.\d+)?(?:ns|µs|us|ms|s|sec|secs|m|min|mins|h|hrs?|d|days?|[kmgt]i?b|[kmgt]|b|bit|bits|bytes|px|r?em|pt|vh|vw|dpi|fps|rpm|rps|qps|[kmg]?hz|[kmg]?bps|[kmg]?v|w|kwh|kg|g|mg|km|cm|mm|x|%)$/i
const VERSION = /^v?\d+\.\d+(?:\.\d+)*(?:[-+][\w.]+)?$/
const WORD = /^[\p{L}_$][\p{L}\p{N}_$]*$/u
const HEX = /^(?:[0-9a-f]+|[0-9A-F]+)$/
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
/** Names of standards, which look like numbers of issues. */
const STANDARD = /^(?:UTF|SHA|MD|ISO|RFC|AES|RSA|HTTP|TLS|SSL|CP|GB|PCM|ES|UTC|GMT)-\d/
const ISSUE = /^[A-Z][A-Z0-9]{1,9}-\d{1,6}$/

/**
 * The kind of a token, or undefined for a plain word. `flags` are the character classes that occur in it
 * (see char-classes.ts). Every pattern is anchored and linear; tokens are short.
 */
export function classifyToken(token: string, flags: number): IdentifierKind | undefined {
  const { length } = token
  if (length < 2 || length > 240) return undefined
  if (flags & SIGIL) return classifySigil(token, flags)
  if (flags & COLON) return classifyColon(token)
  if (flags & SLASH) return classifySlash(token, flags)
  if (flags & DIGIT && !(flags & ~(DIGIT | DOT | DASH))) return classifyDigits(token, flags)
  if (flags & DIGIT && /^\d{4}-\d\d-\d\dT/.test(token)) return undefined
  if (flags & DIGIT) {
    if (UNIT.test(token)) return 'number'
    if (length >= 7 && length <= 128 && !(flags & (UNDERSCORE | DOT)) && isHash(token)) return 'hash'
    if (flags & DOT && VERSION.test(token)) return 'version'
    if (flags & UPPER && ERROR_CODE.test(token)) return 'error'
    if (flags & DASH && STANDARD.test(token)) return undefined
    if (flags & DASH && ISSUE.test(token)) return 'reference'
  }
  if (flags & UPPER && (ERROR_NAME.test(token) || ERRNO.test(token) || ERROR_CODE.test(token))) return 'error'
  if (flags & DOT) return classifyDotted(token)
  if (length > 80) return undefined
  return isSymbol(token, flags) ? 'symbol' : undefined
}

function classifySigil(token: string, flags: number): IdentifierKind | undefined {
  if (token.startsWith('~/')) return 'path'
  if (/^[A-Za-z]:\\[^\\]/.test(token)) return 'path'
  if (/^#(?:[0-9a-f]{6}|[0-9a-f]{8})$/i.test(token)) return 'hash'
  if (/^#\d{1,5}$/.test(token)) return 'reference'
  if (/^@[\w.-]+\/[\w.-]+/.test(token)) return EXTENSION.test(token) ? 'path' : 'symbol'
  if (/^[\w.+-]+@[\w-]+(?:\.[\w-]+)+$/.test(token)) return 'reference'
  if (/^\$[A-Z][A-Z0-9_]+$/.test(token)) return 'setting'
  if (flags & DIGIT && UNIT.test(token)) return 'number'
  return flags & SLASH && !/[\\#%$]/.test(token) ? classifySlash(token, flags) : undefined
}

function classifyColon(token: string): IdentifierKind | undefined {
  if (token.includes('://')) return /^[a-z][\w+.-]*:\/\/[^/]|^file:\/\/\//i.test(token) ? 'url' : undefined
  if (/^[\w.-]+:\d{2,5}$/.test(token) && !/^\d+:/.test(token)) {
    const host = token.slice(0, token.indexOf(':'))
    if (EXTENSION.test(host)) return undefined
    return host === 'localhost' || host.includes('.') ? 'url' : 'setting'
  }
  if (/^\w+(?:::\w+)+$/.test(token)) return ERROR_NAME.test(token) ? 'error' : 'symbol'
  return undefined
}

function classifySlash(token: string, flags: number): IdentifierKind | undefined {
  if (!(flags & (LOWER | UPPER)) || token.includes('//')) return undefined
  if (/^[\w.!?]+\/\d$/.test(token)) return flags & (UNDERSCORE | HUMP | DOT) ? 'symbol' : undefined
  if (BRANCH.test(token) && !EXTENSION.test(token)) return 'branch'
  if (token.startsWith('/') || token.startsWith('./') || token.startsWith('../'))
    return token.length > 3 ? 'path' : undefined
  if (EXTENSION.test(token) || ROOT_FOLDER.test(token)) return 'path'
  const slashes = token.split('/').length - 1
  return slashes > 1 || flags & (UNDERSCORE | HUMP | DASH) ? 'path' : undefined
}

function classifyDigits(token: string, flags: number): IdentifierKind | undefined {
  if (flags & DASH) return UUID.test(token) ? 'hash' : undefined
  if (flags & DOT) return /^\d+(?:\.\d+){2,3}$/.test(token) ? 'version' : undefined
  return token.length >= 4 && token.length <= 19 ? 'number' : undefined
}

function classifyDotted(token: string): IdentifierKind | undefined {
  if (DOTFILE.test(token) || (!token.startsWith('.') && EXTENSION.test(token))) return 'path'
  if (token.startsWith('.')) return undefined
  const parts = token.split('.')
  if (parts.length < 2 || parts.length > 8 || token.length > 120) return undefined
  // "end.Next" is two sentences; "a.b" is too short to be worth a line.
  return parts.every((part) => WORD.test(part) && part.length > 1) && token.length > 5 ? 'symbol' : undefined
}

function isHash(token: string): boolean {
  if (UUID.test(token)) return true
  return HEX.test(token) && /\d/.test(token) && /[a-fA-F]/.test(token)
}

function isSymbol(token: string, flags: number): boolean {
  if (flags & DASH) {
    if (token.startsWith('--')) return false
    return token.length >= 5 && /^[\p{L}\p{N}_]+(?:-[\p{L}\p{N}_]+)+$/u.test(token)
  }
  if (token.length < 4 || !WORD.test(token)) return false
  if (flags & UNDERSCORE) return /[\p{L}\p{N}]_+[\p{L}\p{N}]/u.test(token)
  return Boolean(flags & HUMP) || (Boolean(flags & DIGIT) && Boolean(flags & LOWER) && token.length >= 5)
}
