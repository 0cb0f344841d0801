/** How the small pages look: one card in the middle, in the colours that the reader's system prefers. */
export const styleSheet = `:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; --accent: #2457d6; --line: #8884; --card: #fff; --back: #f4f5f8; }
@media (prefers-color-scheme: dark) { :root { --accent: #7aa2ff; --card: #1b1d23; --back: #111318; } }
* { box-sizing: border-box; }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; padding: 1rem; background: var(--back); }
main { width: min(26rem, 100%); padding: 2rem; border: 1px solid var(--line); border-radius: 1rem; background: var(--card); }
h1 { margin: 0 0 1rem; font-size: 1.4rem; line-height: 1.25; }
form + form { margin-top: 1.25rem; padding-top: 1.25rem; border-top: 1px solid var(--line); }
label { display: block; margin-bottom: 1rem; font-weight: 600; }
input { display: block; width: 100%; margin-top: .25rem; padding: .6rem .75rem; font: inherit; border: 1px solid var(--line); border-radius: .5rem; background: transparent; color: inherit; }
button { width: 100%; padding: .65rem 1rem; font: inherit; font-weight: 600; border: 0; border-radius: .5rem; background: var(--accent); color: var(--card); cursor: pointer; }
button:disabled { opacity: .6; cursor: progress; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
[role=alert] { margin: .75rem 0 0; color: light-dark(#b3261e, #ffb4ab); }
[role=alert]:empty { display: none; }
dl { display: grid; grid-template-columns: auto 1fr; gap: .25rem 1rem; }
dt { opacity: .7; }
dd { margin: 0; overflow-wrap: anywhere; }
`;
