// Names of players (SPEC 3): letters of one script, and what a name looks like, so that nobody plays under another's.
"use strict";
(() => {
  const pbem = (globalThis.pbem ??= {});
  const { Fault } = pbem;
  const SCRIPTS = [
    "A-Za-z\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u0131\u0134-\u013e\u0141-\u0148\u014a-\u017e",
    "\u0386\u0388-\u038a\u038c\u038e-\u03a1\u03a3-\u03ce",
    "\u0400-\u045f\u048a-\u04ff",
    "\u3005\u3041-\u3096\u30a1-\u30fa\u30fc\u4e00-\u9fcb",
    "\uac00-\ud7a3",
  ];
  const NAME = new RegExp(`^(?:${SCRIPTS.map((letters) => `[${letters}][${letters}'0-9-]{0,31}`).join("|")})$`);
  const PLAIN = /^[a-z][a-z0-9-]{0,31}$/;
  const HANDLE = /^(.+):(draw|seal)\d+:\d+$/;
  const PAIRS = `0o 1l il mrn wvv æae ðd øo ßb þp đd ħh ıl ĸk łl ŋn œoe ŧt
    αa βb γy εe ζz ηn ιl κk λл μu νv οo πn ρp ςo σo τt υu φф χx ωvv Γr Ηh Μrn Νn Υy
    аa б6 вb гr еe з3 кk мrn нh оo пn рp сc тt уy хx ьb ѕs іl јj ђh ћh ґr үy ұy һh ӏl ӕae өo
    へヘ りリ 一ー 二ニ 三ミ 八ハ 力カ 千チ 卜ト 口ロ 夕タ 工エ 才オ`;
  const LOOKS = new Map(PAIRS.split(/\s+/).map((pair) => [pair[0], pair.slice(1)]));

  /** A name of version 2 of the protocol, or of version 1. */
  const isName = (value) => typeof value === "string" && NAME.test(value);
  const isPlainName = (value) => typeof value === "string" && PLAIN.test(value);

  /** A handle: what a seat has drawn or sealed, or a player's sealed clause. */
  const isHandle = (value) => typeof value === "string" && isName(HANDLE.exec(value)?.[1]);

  /** What a name looks like without accents: as it is written, and in small letters. */
  function skeletons(name) {
    const bare = [...name.normalize("NFD").replace(/[\u0300-\u036f]/g, "")];
    const look = (letter) => LOOKS.get(letter) ?? LOOKS.get(letter.toLowerCase()) ?? letter.toLowerCase();
    return [bare.map(look).join(""), bare.map((letter) => look(letter.toLowerCase())).join("")];
  }

  /** Refuse names that are not of the version, or two that look alike. */
  function checkNames(version, names) {
    const odd = names.find((name) => (version === 1 ? !isPlainName(name) : !isName(name)));
    if (odd !== undefined) throw new Fault("unreadable", `${odd} is no name in version ${version} of the protocol`);
  }

  function checkNamesDiffer(names) {
    const seen = new Map();
    for (const name of names) {
      for (const look of new Set(skeletons(name))) {
        if (seen.has(look)) throw new Fault("unreadable", `the names ${seen.get(look)} and ${name} look alike`);
        seen.set(look, name);
      }
    }
  }

  Object.assign(pbem, { isName, isPlainName, isHandle, skeletons, checkNames, checkNamesDiffer });
})();
