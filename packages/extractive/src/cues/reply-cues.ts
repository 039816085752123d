const ACCEPTANCE = new RegExp(
  String.raw`^\W*(?:yes|yeah|yep|yup|sure|go ahead|do it|do that|do all|sounds good|looks good|lgtm|agreed|please do|that works|` +
    String.raw`ja|jawohl|genau|einverstanden|passt|oui|d'accord|vas-y|s[ií]|vale|dale|de acuerdo|claro|sim|pode|isso)(?![\p{L}\p{N}])` +
    '|^\\s*(?:да|давай|хорошо|согласен|好|可以|行|是的|没问题|はい|お願い|了解|네|좋아|그래|نعم|حسنا|👍|✅)',
  'iu',
)
/** Words that also open a turn about something else: alone they accept. */
const BARE_ACCEPTANCE =
  /^\W*(?:ok|okay|okey|perfect|great|exactly|correct|right|fine|parfait|perfecto)\W*(?:please|thanks|do it|go)?\W*$/i

const MAX_REPLY_CHARS = 200
const REVERSAL = /\b(?:but|instead|except|however|not|don'?t|no|aber|nicht|mais|pas|pero)\b/i

const PROPOSAL =
  /\b(?:should i|shall i|would you like|want me to|do you want|ready to|i(?:'d| would)? (?:suggest|propose|recommend)|my (?:suggestion|recommendation|proposal)|we could|how about|let'?s|option (?:a|1)|proceed)\b|[?？؟]\s*$/i

/** Whether a user's turn takes up what the assistant proposed, without a condition. */
export function isAcceptance(turn: string): boolean {
  if (turn.length > MAX_REPLY_CHARS || REVERSAL.test(turn.slice(0, 80))) return false
  return ACCEPTANCE.test(turn) || BARE_ACCEPTANCE.test(turn)
}

/** Whether a sentence of an assistant proposes something that a user can take up. */
export function isProposal(sentence: string): boolean {
  return PROPOSAL.test(sentence)
}
