"""Drawing data, made once from coastlines and adjacency data; needs the extra `maps`. Its output is committed."""
