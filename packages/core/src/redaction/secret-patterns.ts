/** One kind of secret that is recognised by its shape. `pattern` is global; its group `secret` is the part to hide. */
export interface SecretPattern {
  readonly kind: string
  readonly pattern: RegExp
  /** Texts of which one must occur, else the pattern is not run: a cheap first look. */
  readonly hints: readonly string[]
  /** The shape alone says too little: the value must look like a secret as well. */
  readonly judge?: boolean
}

/**
 * Tokens by the shapes that their providers document. A pattern starts at a word and ends with a quantifier that
 * nothing follows, or all its quantifiers are short and bounded: no text takes more than linear time.
 */
export const TOKEN_PATTERNS: readonly SecretPattern[] = [
  { kind: 'jwt', pattern: /(?<![\w-])eyJ[\w-]{8,}\.eyJ[\w-]{8,}(?:\.[\w-]*)?/g, hints: ['eyJ'] },
  { kind: 'anthropic', pattern: /\bsk-ant-[\w-]{20,}/g, hints: ['sk-ant-'] },
  { kind: 'openrouter', pattern: /\bsk-or-[\w-]{20,}/g, hints: ['sk-or-'] },
  // Class names such as sk-loading-indicator-large have no digit.
  { kind: 'openai', pattern: /(?<![\w-])sk-(?=[A-Za-z_-]{0,64}\d)[\w-]{20,}/g, hints: ['sk-'] },
  { kind: 'google', pattern: /\bAIza[\w-]{30,}/g, hints: ['AIza'] },
  {
    kind: 'google-oauth',
    pattern: /\bya29\.[\w-]{20,}|\bGOCSPX-[\w-]{20,}|(?<![\w/])1\/\/0[\w-]{30,}/g,
    hints: ['ya29.', 'GOCSPX-', '1//0'],
  },
  {
    kind: 'aws',
    pattern: /\b(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}\b/g,
    hints: ['AKIA', 'ASIA', 'ABIA', 'ACCA'],
  },
  {
    kind: 'github',
    pattern: /\b(?:gh[pousr]_[A-Za-z0-9]{30,}|github_pat_\w{30,})/g,
    hints: ['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_', 'github_pat_'],
  },
  { kind: 'gitlab', pattern: /\bgl[a-z]{2,6}-[\w-]{20,}/g, hints: ['gl'] },
  { kind: 'slack', pattern: /\bxox[abeoprs]-[\w-]{10,}|\bxapp-[\w-]{10,}/g, hints: ['xox', 'xapp-'] },
  {
    kind: 'slack-webhook',
    pattern: /hooks\.slack\.com\/(?:services|workflows)\/[\w/]{20,}/g,
    hints: ['hooks.slack.com/'],
  },
  {
    kind: 'stripe',
    pattern: /\b(?:[sr]k_(?:live|test)_[A-Za-z0-9]{16,}|whsec_[A-Za-z0-9+/]{24,})/g,
    hints: ['k_live_', 'k_test_', 'whsec_'],
  },
  { kind: 'npm', pattern: /\bnpm_[A-Za-z0-9]{30,}/g, hints: ['npm_'] },
  { kind: 'pypi', pattern: /\bpypi-[\w-]{50,}/g, hints: ['pypi-'] },
  { kind: 'hugging-face', pattern: /\b(?:hf|api_org)_[A-Za-z0-9]{30,}/g, hints: ['hf_', 'api_org_'] },
  { kind: 'sendgrid', pattern: /\bSG\.[\w-]{16,32}\.[\w-]{32,}/g, hints: ['SG.'] },
  { kind: 'twilio', pattern: /\bSK[0-9a-f]{32}\b/g, hints: ['SK'] },
  { kind: 'telegram', pattern: /\b\d{8,10}:AA[\w-]{33}\b/g, hints: [':AA'] },
  {
    kind: 'discord',
    pattern: /(?<![\w.-])[MNO][\w-]{23,27}\.[\w-]{6}\.[\w-]{27,}/g,
    hints: ['.'],
  },
  { kind: 'digitalocean', pattern: /\bdo[opr]_v1_[a-f0-9]{64}/g, hints: ['_v1_'] },
  { kind: 'linear', pattern: /\blin_(?:api|oauth)_[A-Za-z0-9]{32,}/g, hints: ['lin_'] },
  { kind: 'perplexity', pattern: /\bpplx-[A-Za-z0-9]{32,}/g, hints: ['pplx-'] },
  { kind: 'groq', pattern: /\bgsk_[A-Za-z0-9]{40,}/g, hints: ['gsk_'] },
  { kind: 'xai', pattern: /\bxai-[A-Za-z0-9]{40,}/g, hints: ['xai-'] },
  { kind: 'vault', pattern: /\bhv[sbr]\.[\w-]{20,}/g, hints: ['hvs.', 'hvb.', 'hvr.'] },
  { kind: 'databricks', pattern: /\bdapi[a-f0-9]{32}(?:-\d)?\b/g, hints: ['dapi'] },
  { kind: 'shopify', pattern: /\bshp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}/g, hints: ['shp'] },
  { kind: 'age', pattern: /\bAGE-SECRET-KEY-1[0-9A-Z]{50,}/g, hints: ['AGE-SECRET-KEY-'] },
]

/**
 * Secrets by where they stand: in URLs, headers and command lines. Every quantifier before the secret is short and
 * bounded.
 */
export const CONTEXT_PATTERNS: readonly SecretPattern[] = [
  {
    kind: 'url-credentials',
    pattern: /:\/\/[^\s/:@"'<>]{0,128}:(?<secret>[^\s/"'<>]{1,256})@/g,
    hints: ['://'],
  },
  {
    kind: 'url-parameter',
    pattern:
      /[?&](?:[a-z_-]{0,20}(?:token|signature|secret|credential)|api_?key|auth|code|key|password|sig)=(?<secret>[^\s&#"'<>\\]{8,})/gi,
    hints: ['='],
  },
  {
    kind: 'authorization',
    pattern:
      /\bauthorization[\\"'`]{0,4}[ \t]{0,4}[:=][ \t]{0,4}[\\"'`]{0,4}(?:[a-z][\w-]{1,20}[ \t]{1,4})?(?<secret>[^\s"'`,;\\]{6,})/gi,
    hints: ['uthorization', 'UTHORIZATION'],
    judge: true,
  },
  {
    kind: 'bearer',
    pattern: /\bbearer[ \t]{1,4}(?<secret>[\w~+/.=-]{20,})/gi,
    hints: ['earer', 'EARER'],
    judge: true,
  },
  {
    kind: 'cookie',
    pattern:
      /\bcookie[\\"'`]{0,4}[ \t]{0,4}:[ \t]{0,4}[\\"'`]{0,4}[\w.-]{1,64}=(?<secret>[^\r\n"'`\\]{8,})/gi,
    hints: ['ookie', 'OOKIE'],
  },
  {
    kind: 'command-line',
    pattern:
      /(?<![\w-])--(?:[a-z0-9]{1,20}-){0,3}(?:token|passw(?:or)?d|passphrase|secret|(?:api|access|secret|private)-?key)[ \t]{1,4}["']?(?<secret>[^\s"'`-][^\s"'`]{5,})/gi,
    hints: ['--'],
    judge: true,
  },
  {
    kind: 'command-line',
    pattern: /[ \t](?:-u|--user)[ \t=]{1,4}["']?[^\s:"'`-][^\s:"'`]{0,64}:(?<secret>[^\s"'`]{4,})/g,
    hints: ['curl', 'wget', 'http'],
    judge: true,
  },
]
