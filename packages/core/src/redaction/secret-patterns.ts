/** Shorter values are rarely secret, and often a word. */
export const SHORTEST_SECRET_CHARACTERS = 6

/** A reference to a secret in code, templates or configuration. */
const REFERENCE =
  /^(?:process\.env|import\.meta|os\.environ|env\.|secrets?\.|\$[({]|\$\w+-?$|%\w+%|\{\{|<[^<>]*>$|!(?:Ref|Sub|GetAtt|env|vault)\b|(?:arn|urn|workspace):|op:\/\/|[a-z][\w+.-]*:\/\/)|\$\{/i

const PLACEHOLDER =
  /^(?:[*x.•-]{3,}|\[[a-z]{3,12}\]|.{0,16}(?:\.{3}|…)|(?:true|false|null|undefined|none|nil|required|optional|string|number|boolean|str|int|any|unknown|object|redacted|masked|hidden|change-?me)|(?:your|example|dummy|fake|sample|placeholder|replace[-_ ](?:with|me)|insert)(?:[-_ .].*|$))$/i

const PATH = /^(?:~|\.{1,2}|[A-Za-z]:)?(?:[\\/][\w.@-]{1,40})+[\\/]?$/
/** A part of a path that is not a name: long, with digits and capitals. */
const RANDOM = /(?<![^\\/])(?=[^\\/]*\d)(?=[^\\/]*[A-Z])[^\\/]{20,}/

const MARK = /\[REDACTED:[a-z-]+\]|[\uE000-\uE0FF]+/g
const HAS_MARK = /\[REDACTED:|[\uE000-\uE0FF]/

const VERSION =
  /^(?:[\^~>=<v ]{0,3}\d{1,6}(?:\.\d{1,6}){1,3}(?:[ <>=.+-][\w<>=. +-]{0,30})?|\d{1,9}(?:_\d{3}){1,5})$/
/** Concatenation in code. */
const JOINED = /^ ?\+ |["'`] ?\+ /

/** True for a value that cannot be a secret: redacted already, a reference, a placeholder, a path, a version. */
export function isHarmless(value: string): boolean {
  if (HAS_MARK.test(value) && value.replace(MARK, '').length < SHORTEST_SECRET_CHARACTERS) return true
  if (VERSION.test(value) || JOINED.test(value)) return true
  return REFERENCE.test(value) || PLACEHOLDER.test(value) || (PATH.test(value) && !RANDOM.test(value))
}

/** A name or member access in source text, or one word of prose. */
const CODE =
  /^!{0,2}[A-Za-z_$](?:[A-Za-z_$]*(?:\??\.#?[A-Za-z_$][\w$]*)*|\w*(?:\??\.[A-Za-z_$]{3,})+)[?!.:]?$/

/** True for an unquoted value without digits and signs. */
export function isCode(value: string): boolean {
  return CODE.test(value)
}

/** Names of secrets as values: `token: "refresh-token"`, `ENV_SECRET = "AWS_SECRET_ACCESS_KEY"`. */
const NAME = /(?:token|secret|credential|(?:api|access|private|secret)[-_]?key)s?(?![a-z])/i

export function isName(value: string): boolean {
  return NAME.test(value) && /^[\w.-]+$/.test(value) && !isRandom(value)
}

/** True for a value unlike a word: letters and digits in one piece, or often alternating. */
export function isRandom(value: string): boolean {
  if (!/\d/.test(value) || !/[A-Za-z]/.test(value)) return false
  if (!/[^A-Za-z\d][A-Za-z\d]/.test(value)) return true
  const changes = value.match(/[a-z](?=[A-Z\d])|[A-Z](?=\d)|\d(?=[A-Za-z])/g)?.length ?? 0
  return changes >= value.length / 6
}

const SENTENCE = /^\p{L}[\p{L}'’]*,?(?: [\p{L}'’(),/-]+){1,}[.:!?…]*$/u
/** Words of a passphrase: all lower case, or all capitalised. */
const PASSPHRASE = /^(?:[a-z]{3,}(?: [a-z]{3,}){2,}|[A-Z][a-z]{2,}(?: [A-Z][a-z]{2,}){3,})$/
/** Words of sentences and labels, which passphrases lack. */
const GRAMMAR =
  /\b(?:the|your|this|that|must|should|can|cannot|not|and|for|with|from|are|was|has|have|will|please|enter|invalid|wrong|incorrect|missing|required|forgot|reset|change|confirm|repeat|new|old|current|password|token|secret|key|access|credentials?|field|value)\b/i

/** True for a quoted sentence or label, and false for a passphrase. */
export function isProse(value: string): boolean {
  return SENTENCE.test(value) && !(PASSPHRASE.test(value) && !GRAMMAR.test(value))
}

/** A kind of secret with a recognisable shape. `pattern` is global; its group `secret` is the part to redact. */
export interface SecretPattern {
  readonly kind: string
  readonly pattern: RegExp
  /** Occurs in every match of the pattern, as a cheap first check. Default: the pattern always runs. */
  readonly hint?: RegExp
  /** Must also occur in the text, or the pattern means something else. Default: none. */
  readonly beside?: RegExp
  /** Checks the value, if the shape alone is not enough. */
  readonly judge?: (value: string) => boolean
}

/**
 * Tokens by their providers' documented shapes; those after `age` follow the rules of gitleaks 8.28 (MIT) and
 * secretlint 13.1 (MIT). Each pattern is linear: it starts at a word, and its quantifiers are short and bounded, or the
 * last one ends it.
 */
export const TOKEN_PATTERNS: readonly SecretPattern[] = [
  {
    kind: 'jwt',
    pattern: /(?<![\w-])(?:[A-Za-z]{1,20}[_-]){0,3}(?<secret>eyJ[\w-]{8,}\.eyJ[\w-]{8,}(?:\.[\w-]*)?)/g,
    hint: /eyJ/,
  },
  { kind: 'anthropic', pattern: /(?<![A-Za-z0-9])sk-ant-[\w-]{20,}/g, hint: /sk-ant-/ },
  { kind: 'openrouter', pattern: /(?<![A-Za-z0-9])sk-or-[\w-]{20,}/g, hint: /sk-or-/ },
  // Class names such as sk-loading-indicator-large have no digit.
  { kind: 'openai', pattern: /(?<![A-Za-z0-9-])sk-(?=[A-Za-z_-]{0,64}\d)[\w-]{20,}/g, hint: /sk-/ },
  { kind: 'google', pattern: /(?<![A-Za-z0-9])AIza[\w-]{30,}/g, hint: /AIza/ },
  {
    kind: 'google-oauth',
    pattern: /(?<![A-Za-z0-9])ya29\.[\w-]{20,}|(?<![A-Za-z0-9])GOCSPX-[\w-]{20,}|(?<![\w/])1\/\/0[\w-]{30,}/g,
    hint: /ya29\.|GOCSPX-|1\/\/0/,
  },
  {
    kind: 'aws',
    // The secret key often follows the id.
    pattern:
      /(?<![A-Za-z0-9])(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}\b(?:[\s,:;/|"'\\]{1,5}[A-Za-z0-9/+]{40}(?![A-Za-z0-9/+]))?/g,
    hint: /AKIA|ASIA|ABIA|ACCA/,
  },
  {
    kind: 'github',
    pattern: /(?<![A-Za-z0-9])(?:gh[pousr]_[A-Za-z0-9]{30,}|github_pat_\w{30,})/g,
    hint: /ghp_|gho_|ghu_|ghs_|ghr_|github_pat_/,
  },
  { kind: 'gitlab', pattern: /(?<![A-Za-z0-9])gl[a-z]{2,6}-[\w-]{20,}/g, hint: /gl/ },
  {
    kind: 'slack',
    pattern: /(?<![A-Za-z0-9])xox[abeoprs]-(?=[A-Za-z-]{0,40}\d)[\w-]{10,}|(?<![A-Za-z0-9])xapp-[\w-]{10,}/g,
    hint: /xox|xapp-/,
  },
  {
    kind: 'slack-webhook',
    pattern: /hooks\.slack\.com\/(?:services|workflows)\/[\w/]{20,}/g,
    hint: /hooks\.slack\.com\//,
  },
  {
    kind: 'stripe',
    pattern: /(?<![A-Za-z0-9])(?:[sr]k_(?:live|test)_[A-Za-z0-9]{16,}|whsec_[A-Za-z0-9+/]{24,})/g,
    hint: /k_live_|k_test_|whsec_/,
  },
  { kind: 'npm', pattern: /(?<![A-Za-z0-9])npm_[A-Za-z0-9]{30,}/g, hint: /npm_/ },
  { kind: 'pypi', pattern: /(?<![A-Za-z0-9])pypi-[\w-]{50,}/g, hint: /pypi-/ },
  { kind: 'hugging-face', pattern: /(?<![A-Za-z0-9])(?:hf|api_org)_[A-Za-z0-9]{30,}/g, hint: /hf_|api_org_/ },
  { kind: 'sendgrid', pattern: /(?<![A-Za-z0-9])SG\.[\w-]{16,32}\.[\w-]{32,}/g, hint: /SG\./ },
  { kind: 'twilio', pattern: /(?<![A-Za-z0-9])SK[0-9a-f]{32}\b/g, hint: /SK/ },
  { kind: 'telegram', pattern: /(?<![A-Za-z0-9])\d{8,10}:AA[\w-]{33}/g, hint: /:AA/ },
  {
    kind: 'discord',
    pattern: /(?<![\w.-])[MNO][\w-]{23,27}\.[\w-]{6}\.[\w-]{27,}/g,
    hint: /\.[\w-]{6}\./,
  },
  { kind: 'digitalocean', pattern: /(?<![A-Za-z0-9])do[opr]_v1_[a-f0-9]{64}/g, hint: /_v1_/ },
  { kind: 'linear', pattern: /(?<![A-Za-z0-9])lin_(?:api|oauth)_[A-Za-z0-9]{32,}/g, hint: /lin_/ },
  { kind: 'perplexity', pattern: /(?<![A-Za-z0-9])pplx-[A-Za-z0-9]{32,}/g, hint: /pplx-/ },
  { kind: 'groq', pattern: /(?<![A-Za-z0-9])gsk_[A-Za-z0-9]{40,}/g, hint: /gsk_/ },
  { kind: 'xai', pattern: /(?<![A-Za-z0-9])xai-[A-Za-z0-9]{40,}/g, hint: /xai-/ },
  { kind: 'vault', pattern: /(?<![A-Za-z0-9])hv[sbr]\.[\w-]{20,}/g, hint: /hvs\.|hvb\.|hvr\./ },
  { kind: 'databricks', pattern: /(?<![A-Za-z0-9])dapi[a-f0-9]{32}(?:-\d)?\b/g, hint: /dapi/ },
  { kind: 'shopify', pattern: /(?<![A-Za-z0-9])shp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}/g, hint: /shp/ },
  { kind: 'age', pattern: /(?<![A-Za-z0-9])AGE-SECRET-KEY-1[0-9A-Z]{50,}/g, hint: /AGE-SECRET-KEY-/ },
  {
    kind: 'webhook',
    pattern:
      /(?<![A-Za-z0-9])(?:discord(?:app)?\.com\/api\/webhooks\/\d{15,20}\/[\w-]{60,}|webhook\.office\.com\/webhookb2\/[\w@/-]{60,})/g,
    hint: /\/webhooks\/|\/webhookb2\//,
  },
  {
    kind: 'payment',
    pattern:
      /(?<![A-Za-z0-9])(?:sq0[a-z]{3}-[\w-]{22,}|access_token\$(?:production|sandbox)\$[0-9a-z]{16}\$[0-9a-f]{32}|FLWSECK_(?:TEST|LIVE)-[\w-]{12,})/g,
    hint: /sq0|access_token\$|FLWSECK_/,
  },
  { kind: 'payment', pattern: /(?<![\w+/=-])EAAA[\w-]{40,}(?![\w+/])/g, hint: /EAAA/ },
  { kind: 'azure', pattern: /(?<![\w~.-])[\w~.]{3}\dQ~[\w~.-]{31,34}/g, hint: /Q~/ },
  {
    kind: 'cloud',
    pattern: /(?<![A-Za-z0-9])(?:LTAI[A-Za-z0-9]{16,24}|AKID[A-Za-z0-9]{32})\b/g,
    hint: /LTAI|AKID/,
  },
  {
    kind: 'cloud',
    pattern:
      /(?<![A-Za-z0-9])(?:HRKU-AA[\w-]{30,}|nfp_[A-Za-z0-9]{30,}|sbp_[a-f0-9]{40}|sb_secret_[\w-]{20,})/g,
    hint: /HRKU-|nfp_|sbp_|sb_secret_/,
  },
  {
    kind: 'cloud',
    pattern: /(?<![A-Za-z0-9])(?:v1\.0-[a-f0-9]{24}-[a-f0-9]{40,}|pscale_(?:tkn|oauth|pw)_[\w=.-]{30,})/g,
    hint: /v1\.0-|pscale_/,
  },
  { kind: 'cloud', pattern: /(?<![A-Za-z0-9])(?:FlyV1 )?fm[12]_[\w+/=-]{40,}/g, hint: /fm1_|fm2_/ },
  {
    kind: 'infrastructure',
    pattern: /(?<![A-Za-z0-9])[A-Za-z0-9]{14}\.atlasv1\.[\w-]{60,}/g,
    hint: /\.atlasv1\./,
  },
  {
    kind: 'infrastructure',
    pattern:
      /(?<![A-Za-z0-9])(?:dp\.(?:ct|pt|st|sa|scim|audit)\.[A-Za-z0-9]{40,}|pul-[a-f0-9]{40}\b|dckr_(?:pat|oat)_[\w-]{27,}|rubygems_[a-f0-9]{48}|oy2[a-z0-9]{43}\b|AKCp[A-Za-z0-9]{69}\b|cio(?=[A-Za-z]{0,31}\d)[A-Za-z0-9]{32}\b)/g,
    hint: /\bdp\.|pul-|dckr_|rubygems_|oy2|AKCp|\bcio/,
  },
  { kind: 'mail', pattern: /(?<![A-Za-z0-9])[0-9a-f]{32}-us\d{1,2}\b/g, hint: /-us\d/ },
  {
    kind: 'mail',
    pattern:
      /(?<![A-Za-z0-9])(?:key-[0-9a-z]{32}\b|xkeysib-[a-f0-9]{64}-[A-Za-z0-9]{16}|re_[A-Za-z0-9]{6,10}_[A-Za-z0-9]{20,})/g,
    hint: /key-|xkeysib-|re_/,
  },
  {
    kind: 'tracker',
    pattern:
      /(?<![A-Za-z0-9])(?:AT[AC]TT3[\w=-]{100,}|ATBB[A-Za-z0-9]{32}\b|ntn_\d{11}[A-Za-z0-9]{30,}|secret_[A-Za-z0-9]{43}\b|pat[A-Za-z0-9]{14}\.[a-f0-9]{64}\b|fig[du]_[\w-]{40,})/g,
    hint: /ATATT3|ATCTT3|ATBB|ntn_|secret_|pat[A-Za-z0-9]{14}\.|figd_|figu_/,
  },
  {
    kind: 'monitoring',
    pattern:
      /(?<![A-Za-z0-9])(?:glsa_[A-Za-z0-9]{32}_[A-Fa-f0-9]{8}|glc_[A-Za-z0-9+/]{32,}|NRAK-[A-Z0-9]{27}|sntry[su]_[\w+/=]{40,}|PMAK-[a-f0-9]{24}-[a-f0-9]{34}|dt0c01\.[A-Z0-9]{24}\.[A-Z0-9]{64}|sgp_[\w]{40,})/g,
    hint: /glsa_|glc_|NRAK-|sntry|PMAK-|dt0c01\.|sgp_/,
  },
  {
    kind: 'model-service',
    pattern: /(?<![A-Za-z0-9])(?:r8_[A-Za-z0-9]{30,}|tvly-[\w-]{30,})/g,
    hint: /r8_|tvly-/,
  },
  {
    kind: 'password-manager',
    pattern:
      /(?<![A-Za-z0-9])(?:ops_eyJ[\w+/=-]{200,}|A3-[A-Z0-9]{6}-[A-Z0-9]{6}-?[A-Z0-9]{5}(?:-[A-Z0-9]{5}){3})/g,
    hint: /ops_eyJ|A3-/,
  },
  {
    kind: 'password-hash',
    // The formats of crypt(3), Argon2's reference, and Django.
    pattern:
      /\$2[abxy]?\$\d\d\$[./A-Za-z0-9]{53}|\$(?:1|5|6|y|apr1)\$[^\s"'`:$]{1,64}\$[./A-Za-z0-9]{22,86}|\$argon2(?:id?|d)\$v=\d{1,3}\$[\w=,]{1,64}\$[A-Za-z0-9+/]{8,}\$[A-Za-z0-9+/]{16,}|\bpbkdf2_sha\d{1,3}\$\d{1,8}\$[^\s"'`$]{1,64}\$[A-Za-z0-9+/=]{20,}/g,
    hint: /\$2|\$1\$|\$5\$|\$6\$|\$y\$|\$apr1\$|\$argon2|pbkdf2_/,
  },
  {
    kind: 'private-key',
    // DER in base64: RSA, PKCS #8, elliptic curves and Ed25519, and the file of OpenSSH.
    pattern:
      /(?<![A-Za-z0-9+/])(?:MII[A-Za-z0-9+/]{3}IBA[AD]|MIG[A-Za-z0-9+/]AgEAM|MHcCAQEE|MC4CAQAwBQYDK2Vw|b3BlbnNzaC1rZXktdjE)[A-Za-z0-9+/]{30,}={0,2}/g,
    hint: /MII|MIG|MHcCAQEE|MC4CAQAwBQYDK2Vw|b3BlbnNzaC1rZXktdjE/,
  },
]

export function mayMatch({ hint }: Pick<SecretPattern, 'hint'>, text: string): boolean {
  return hint?.test(text) !== false
}

/** The start of a call is code too. */
const isNoCode = (value: string): boolean => !isCode(value.split('(', 1)[0] ?? '')

/**
 * Secrets by their context: URLs, headers, cookies and command lines. Every quantifier before the secret is short and
 * bounded.
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
      /\bcookie[\\"'`]{0,9}[ \t]{0,4}[:=][ \t]{0,4}[\\"'`]{0,9}[\w.-]{1,64}=(?<secret>[^\s;"'`\\](?:(?!-----BEGIN)[^\r\n"'`\\]){7,})/gi,
    hint: /ookie|OOKIE/,
  },
  {
    kind: 'cookie',
    pattern:
      /(?<=\b(?:connect\.sid|PHPSESSID|JSESSIONID|ASP\.NET_SessionId|sessionid|session|sid|[\w-]{1,40}_session|__(?:Host|Secure)-[\w.-]{1,40})=)(?<secret>[\w%.:~+/=-]{16,})/g,
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
    // The netrc format, and people's variants.
    pattern:
      /\blogin[ \t\r\n]{1,4}[^\s"'`]{1,128}[ \t\r\n]{1,4}password[ \t\r\n]{1,4}(?<secret>[^\s"'`\\]{4,})/g,
    hint: /login/,
  },
  {
    kind: 'login',
    // SQL's statements for users.
    pattern:
      /\b(?:identified(?:[ \t\r\n]{1,4}with[ \t\r\n]{1,4}[\w'"`]{1,40})?[ \t\r\n]{1,4}by|password[ \t\r\n]{1,4}for[ \t\r\n]{1,4}[\w'"`@%.-]{1,100}[ \t]{0,4}=|(?:role|user|with)(?:[ \t\r\n]{1,4}[\w'"`@%.-]{1,100}){0,2}[ \t\r\n]{1,4}password)[ \t\r\n]{1,4}(?:password[ \t]{1,4})?['"](?<secret>[^'"\r\n]{6,256})['"]/gi,
    hint: /identified|password[ \t\r\n]{1,4}(?:for|['"])/i,
  },
  {
    kind: 'login',
    pattern: /\bConvertTo-SecureString[ \t]{1,4}(?:-String[ \t]{1,4})?(["'])(?<secret>[^"'\r\n]{6,256})\1/gi,
    hint: /SecureString/i,
  },
  {
    kind: 'login',
    // The content of a network's QR code.
    pattern: /\bWIFI:(?:[A-OQ-Z]:[^;\r\n]{0,80};){0,4}P:(?<secret>[^;\r\n]{6,128});/g,
    hint: /WIFI:/,
  },
  {
    kind: 'mnemonic',
    // 12 to 24 words of BIP 39, of three to eight letters.
    pattern:
      /\b(?:seed|recovery|backup|mnemonic)[ _-]?(?:phrase|words)["'`]{0,2}(?:[ \t]{0,4}[:=]|[ \t]{1,4}is)\s{0,4}["'`]{0,2}(?<secret>(?:[a-z]{3,8}[, ]{1,2}){11,23}[a-z]{3,8}\b)/gi,
    hint: /phrase|words/i,
  },
]
