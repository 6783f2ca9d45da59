import { citations } from "../terms";

interface Props { text: string; rule: string | undefined; rules: string; aside?: boolean }

/** A sentence with the rule it rests on, linked to the rule book; `aside` opens it beside a game that is being played. */
export function Ruled({ text, rule, rules, aside }: Props) {
  if (!rule) return <>{text}</>;
  const at = text.lastIndexOf(rule);
  const plain = (at > 0 ? text.slice(0, at) : text).replace(/[\s\-–—]+$/, "");
  return <>{plain} <span class="cite">({citations(rule, rules).map((c, i) => <>{i > 0 && " + "}<RuleLink {...c} aside={aside} /></>)})</span></>;
}

export function RuleLink({ text, href, aside }: { text: string; href: string; aside?: boolean | undefined }) {
  return aside ? <a href={href} target="_blank" rel="noopener">{text}</a> : <a href={href}>{text}</a>;
}
