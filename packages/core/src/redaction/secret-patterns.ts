/** One kind of secret. `pattern` is global; its group `secret`, if it has one, is the part to hide. */
export interface SecretPattern {
  readonly kind: string
  readonly pattern: RegExp
  /** Lower-case texts of which one must occur, else the pattern is not run: a cheap first look. */
  readonly hints: readonly string[]
}

/** A value as it stands behind `key =`: quoted, or up to white space. Short ones are left: they are rarely secret. */
const VALUE =
  '(?:"(?<quoted>[^"\\r\\n]{6,512})"|\'(?<quoted2>[^\'\\r\\n]{6,512})\'|(?<bare>[^\\s"\'`,;&<>(){}\\[\\]]{6,512}))'

/** Names of settings that hold secrets, as in environment files, configuration, JSON and headers. */
const KEY =
  '(?:[a-z0-9]{1,40}[_.-]){0,6}(?:api[_-]?key|apikey|secret(?:[_-]?(?:access[_-]?)?key)?|client[_-]?secret|access[_-]?key|auth[_-]?token|access[_-]?token|refresh[_-]?token|bearer[_-]?token|id[_-]?token|token|passwd|password|passphrase|pwd|private[_-]?key|credentials?|webhook[_-]?secret)(?:[_-][a-z0-9]{1,20})?'

/**
 * What is hidden before text leaves for a summariser. The shapes are those that the providers document for
 * their tokens; the last ones are generic: named settings, authorisation headers, credentials in URLs.
 * Every quantifier is bounded or stands alone, so no input takes more than linear time.
 */
export const SECRET_PATTERNS: readonly SecretPattern[] = [
  token(
    'private-key',
    /-----BEGIN (?:[A-Z]{2,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----[\s\S]{0,16384}?(?:-----END (?:[A-Z]{2,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----|$)/g,
    'private key',
  ),
  token('jwt', /\beyJ[\w-]{8,4096}\.eyJ[\w-]{8,8192}(?:\.[\w-]{0,4096})?/g, 'eyj'),
  token('anthropic', /\bsk-ant-[\w-]{20,256}/g, 'sk-ant-'),
  token('openai', /\bsk-(?:proj-|svcacct-|admin-)?[\w-]{20,256}/g, 'sk-'),
  token('openrouter', /\bsk-or-[\w-]{20,256}/g, 'sk-or-'),
  token('google', /\bAIza[\w-]{30,64}/g, 'aiza'),
  token('google-oauth', /\bya29\.[\w-]{20,2048}|\bGOCSPX-[\w-]{20,64}/g, 'ya29.', 'gocspx-'),
  token('aws', /\b(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}\b/g, 'akia', 'asia', 'abia', 'acca'),
  token(
    'github',
    /\b(?:gh[pousr]_[A-Za-z0-9]{30,255}|github_pat_\w{30,255})/g,
    'ghp_',
    'gho_',
    'ghu_',
    'ghs_',
    'ghr_',
    'github_pat_',
  ),
  token(
    'gitlab',
    /\bgl(?:pat|dt|rt|ptt|cbt|oas|agent|soat)-[\w-]{20,255}/g,
    'glpat-',
    'gldt-',
    'glrt-',
    'glptt-',
    'glcbt-',
    'gloas-',
    'glagent-',
    'glsoat-',
  ),
  token('slack', /\bxox[abeoprs]-[\w-]{10,255}|\bxapp-[\w-]{10,255}/g, 'xox', 'xapp-'),
  token('slack-webhook', /hooks\.slack\.com\/(?:services|workflows)\/[\w/]{20,255}/g, 'hooks.slack.com/'),
  token('stripe', /\b(?:sk|rk|pk|whsec)_(?:live_|test_)?[A-Za-z0-9]{16,255}/g, 'sk_', 'rk_', 'pk_', 'whsec_'),
  token('npm', /\bnpm_[A-Za-z0-9]{30,64}/g, 'npm_'),
  token('pypi', /\bpypi-[\w-]{50,255}/g, 'pypi-'),
  token('hugging-face', /\b(?:hf|api_org)_[A-Za-z0-9]{30,64}/g, 'hf_', 'api_org_'),
  token('sendgrid', /\bSG\.[\w-]{16,32}\.[\w-]{32,64}/g, 'sg.'),
  token('twilio', /\bSK[0-9a-f]{32}\b/g, 'sk'),
  token('telegram', /\b\d{8,10}:AA[\w-]{33}\b/g, ':aa'),
  token('discord', /\b[MNO][\w-]{23,27}\.[\w-]{6}\.[\w-]{27,40}\b/g, '.'),
  token('digitalocean', /\bdo[opr]_v1_[a-f0-9]{64}\b/g, '_v1_'),
  token('linear', /\blin_(?:api|oauth)_[A-Za-z0-9]{32,64}/g, 'lin_'),
  token('perplexity', /\bpplx-[A-Za-z0-9]{32,64}/g, 'pplx-'),
  token('groq', /\bgsk_[A-Za-z0-9]{40,64}/g, 'gsk_'),
  token('xai', /\bxai-[A-Za-z0-9]{40,128}/g, 'xai-'),
  token('vault', /\bhv[sbr]\.[\w-]{20,255}/g, 'hvs.', 'hvb.', 'hvr.'),
  token('databricks', /\bdapi[a-f0-9]{32}(?:-\d)?\b/g, 'dapi'),
  token('shopify', /\bshp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}\b/g, 'shpat_', 'shpca_', 'shppa_', 'shpss_'),
  token('age', /\bAGE-SECRET-KEY-1[0-9A-Z]{50,64}/g, 'age-secret-key-'),
  token(
    'url-credentials',
    /\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s/:@"'<>]{0,128}:(?<secret>[^\s/@"'<>]{1,256})@/gi,
    '://',
  ),
  token(
    'url-parameter',
    /[?&](?:access_token|api_key|apikey|auth|key|password|sig|signature|token)=(?<secret>[^\s&#"'<>]{8,2048})/gi,
    '=',
  ),
  token(
    'authorization',
    /\b(?:proxy-)?authorization["']?\s{0,4}[:=]\s{0,4}["']?(?:basic|bearer|token|digest)\s{1,4}(?<secret>[^\s"',;]{6,4096})/gi,
    'authorization',
  ),
  token('bearer', /\bbearer\s{1,4}(?<secret>[\w~+/.-]{20,4096}={0,2})/gi, 'bearer'),
  token(
    'cookie',
    /\bset-cookie["']?\s{0,4}:\s{0,4}["']?[^=;\s]{1,128}=(?<secret>[^;\s"']{8,4096})/gi,
    'set-cookie',
  ),
  token(
    'named-setting',
    new RegExp(`(?<![\\w-])["']?${KEY}["']?\\s{0,4}(?:=>|:=|[:=])\\s{0,4}${VALUE}`, 'gi'),
    'key',
    'secret',
    'token',
    'pass',
    'pwd',
    'credential',
  ),
]

function token(kind: string, pattern: RegExp, ...hints: string[]): SecretPattern {
  return { kind, pattern, hints }
}
