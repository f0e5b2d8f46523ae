"""Any verifier of the protocol judged by the shared vectors: the commands of SPEC 14."""
