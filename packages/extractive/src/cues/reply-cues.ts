const ACCEPTANCE = new RegExp(
  String.raw`^\W*(?:yes|yeah|yep|yup|ok|okay|okey|sure|go ahead|do it|do that|do all|sounds good|looks good|lgtm|agreed|perfect|great|exactly|correct|right|please do|that works|fine|` +
    String.raw`ja|jawohl|genau|einverstanden|passt|oui|d'accord|vas-y|parfait|s[ií]|vale|dale|de acuerdo|claro|perfecto|sim|pode|isso)(?![\p{L}\p{N}])` +
    '|^\\s*(?:да|давай|хорошо|согласен|好|可以|行|是的|没问题|はい|お願い|了解|네|좋아|그래|نعم|حسنا|👍|✅)',
  'iu',
)

const REVERSAL = /\b(?:but|instead|except|however|not|don'?t|no|aber|nicht|mais|pas|pero)\b/i

const PROPOSAL =
  /\b(?:should i|shall i|would you like|want me to|do you want|ready to|i(?:'d| would)? (?:suggest|propose|recommend)|my (?:suggestion|recommendation|proposal)|we could|how about|let'?s|option (?:a|1)|proceed)\b|[?？؟]\s*$/i

/** Whether a user's turn takes up what the assistant proposed, without a condition. */
export function isAcceptance(turn: string): boolean {
  return turn.length <= 200 && ACCEPTANCE.test(turn) && !REVERSAL.test(turn.slice(0, 80))
}

/** Whether a sentence of an assistant proposes something that a user can take up. */
export function isProposal(sentence: string): boolean {
  return PROPOSAL.test(sentence)
}
