import { hintsOf, type SecretPattern } from './secret-patterns.ts'
import { isCode, isRandom } from './secret-value.ts'

/** The beginning of a call is code as well. */
const isNoCode = (value: string): boolean => !isCode(value.split('(', 1)[0] ?? '')

/**
 * Secrets by where they stand: in URLs, headers, cookies and command lines. Every quantifier before the
 * secret is short and bounded.
 */
export const CONTEXT_PATTERNS: readonly SecretPattern[] = [
  {
    kind: 'url-credentials',
    pattern: /:\/\/[^\s/:@"'<>]{0,128}:(?<secret>[^\s/"'<>]{1,256})@/g,
  },
  {
    kind: 'url-parameter',
    pattern:
      /[?&](?:[a-z_-]{0,20}(?:token|signature|secret|credential)|api_?key|auth|code|key|password|sig)=(?<secret>[^\s&#"'<>\\]{8,})/gi,
  },
  {
    kind: 'authorization',
    pattern:
      /\bauthorization[\\"'`]{0,9}[ \t]{0,4}[:=][ \t]{0,4}[\\"'`]{0,9}(?:[a-z][\w-]{1,20}[ \t]{1,4})?(?<secret>[^\s"'`,;\\]{6,})/gi,
    hint: /uthorization|UTHORIZATION/,
    judge: isNoCode,
  },
  {
    kind: 'bearer',
    pattern: /\bbearer[ \t]{1,4}(?<secret>[\w~+/.=-]{20,})/gi,
    hint: /earer|EARER/,
    judge: isNoCode,
  },
  {
    kind: 'cookie',
    pattern:
      /\bcookie[\\"'`]{0,9}[ \t]{0,4}[:=][ \t]{0,4}[\\"'`]{0,9}[\w.-]{1,64}=(?<secret>[^\s;"'`\\][^\r\n"'`\\]{7,})/gi,
    hint: /ookie|OOKIE/,
  },
  {
    kind: 'cookie',
    pattern:
      /\b(?:connect\.sid|PHPSESSID|JSESSIONID|ASP\.NET_SessionId|sessionid|session|sid|[\w-]{1,40}_session|__(?:Host|Secure)-[\w.-]{1,40})=(?<secret>[\w%.~+/=-]{16,})/g,
    hint: /sid=|SESSID=|SESSIONID=|SessionId=|sessionid=|session=|__Host-|__Secure-/,
    judge: isRandom,
  },
  {
    kind: 'command-line',
    pattern: /[ \t](?:-u|--user)[ \t=]{1,4}["']?[^\s:"'`-][^\s:"'`]{0,64}:(?<secret>[^\s"'`]{4,})/g,
    hint: /-u[ \t=]|--user/,
    beside: /curl|wget|http/,
    judge: isNoCode,
  },
  {
    kind: 'login',
    // The files of netrc and what people write.
    pattern:
      /\blogin[ \t\r\n]{1,4}[^\s"'`]{1,128}[ \t\r\n]{1,4}password[ \t\r\n]{1,4}(?<secret>[^\s"'`\\]{4,})/g,
    hint: /login/,
  },
]

/** The beginnings of what all patterns with a hint ask for. */
export const CONTEXT_HINTS = hintsOf(CONTEXT_PATTERNS)
