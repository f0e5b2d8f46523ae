"""Many games at once: jobs as plain data, done by the processes of this machine or by a cluster, and what is made of them."""
